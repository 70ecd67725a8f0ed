internal import Archive
internal import CZstd
internal import Glibc
internal import System
internal import TextEncoding

/// One archive of runs that are over, and its list of runs beside it, a line each.
///
/// On the shelf's thread.
@safe final class HourArchive {
    /// A line of the list.
    struct Entry {
        /// Whose run it is.
        let key: RunKey
        /// Its id.
        let id: String
        /// The last entry of the journal in it.
        let entry: UInt64
        /// Tally's own form: its last line.
        let last: UInt64
        /// When something came for it last, us since 1970.
        let heard: Int64
        /// Where its compressed bytes lie.
        let bytes: Range<Int>
        /// Its epoch, us since 1970.
        let epoch: Int64
        /// Its line feed-separated lines.
        let lines: Int

        /// As a line of the list.
        var text: String {
            let members: JSONObject = [
                "run": .string(id), "name": .string(key.name), "tenant": .string(key.tenant),
                "form": .string(key.form.word), "entry": .int(Int64(clamping: entry)),
                "last": .int(Int64(clamping: last)), "heard_us": .int(heard), "epoch_us": .int(epoch),
                "lines": .int(Int64(lines)), "offset": .int(Int64(bytes.lowerBound)),
                "bytes": .int(Int64(bytes.count)),
            ]
            return JSONValue.object(members).canonicalText + "\n"
        }

        init(
            _ contents: OpenRunFile.Contents,
            _ header: ArchiveHeader,
            bytes: Range<Int>
        ) {
            key = contents.key
            id = header.run
            entry = contents.place.entry
            last = contents.place.last
            heard = contents.place.heard
            epoch = header.epoch
            lines = contents.lines.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            self.bytes = bytes
        }

        init?(_ line: String) {
            guard let json = try? JSONParser().parse(line), let id = json["run"]?.string,
                let name = json["name"]?.string, let tenant = json["tenant"]?.string,
                let form = json["form"]?.string.flatMap(ReportForm.init(word:)),
                let entry = json["entry"]?.int, let last = json["last"]?.int, let heard = json["heard_us"]?.int,
                let epoch = json["epoch_us"]?.int, let lines = json["lines"]?.int,
                let offset = json["offset"]?.int, let count = json["bytes"]?.int, offset >= 0, count >= 0,
                offset <= .max - count
            else { return nil }
            key = RunKey(tenant: tenant, form: form, name: name)
            self.id = id
            self.entry = UInt64(max(0, entry))
            self.last = UInt64(max(0, last))
            self.heard = heard
            self.epoch = epoch
            self.lines = Int(lines)
            bytes = Int(offset)..<Int(offset + count)
        }
    }

    static let listSuffix = ".runs"

    /// Bytes of the archive.
    private(set) var bytes: Int
    /// When a run was added last, us of ``SystemTime/monotonic()``.
    var used = SystemTime.monotonic()
    private let path: String
    private let file: Int32
    private let list: Int32
    private var runs: Set<String>
    /// Lines of the list that are not written yet.
    private var added: [Entry] = []
    /// What these runs come to.
    private var addition = Addition()

    /// Runs that became safe together.
    struct Addition {
        var runs: UInt64 = 0
        /// Their bytes before they were compressed.
        var plainBytes: UInt64 = 0
        /// Their bytes in the archive.
        var bytes: UInt64 = 0
    }

    /// Opens an archive, and cuts off what a crash left behind its last run.
    init(_ path: String) throws(SystemFailure) {
        self.path = path
        let entries = Self.entries(of: path + Self.listSuffix)
        runs = Set(entries.map(\.id))
        bytes = entries.map(\.bytes.upperBound).max() ?? 0
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_APPEND
        file = unsafe open(path, flags, 0o600)
        guard file >= 0 else { throw SystemFailure() }
        list = unsafe open(path + Self.listSuffix, flags, 0o600)
        guard list >= 0 else {
            let failure = SystemFailure()
            close(file)
            throw failure
        }
        // A list whose last line is cut off goes on behind its last whole one.
        let whole = entries.reduce(0) { $0 + $1.text.utf8.count }
        guard ftruncate(file, off_t(bytes)) == 0, ftruncate(list, off_t(whole)) == 0 else { throw SystemFailure() }
    }

    deinit {
        close(file)
        close(list)
    }

    /// Whether it has a run.
    func has(_ run: String) -> Bool { runs.contains(run) }

    /// Adds a run, which is safe behind ``commit()``.
    func add(_ contents: OpenRunFile.Contents, _ header: ArchiveHeader, level: Int32) throws(SystemFailure) {
        var compressed = [UInt8](repeating: 0, count: ZSTD_compressBound(contents.lines.count))
        let count = unsafe compressed.withUnsafeMutableBytes { target in
            unsafe contents.lines.withUnsafeBytes { source in
                unsafe ZSTD_compress(target.baseAddress, target.count, source.baseAddress, source.count, level)
            }
        }
        guard ZSTD_isError(count) == 0 else { throw SystemFailure(number: ENOMEM) }
        compressed.removeSubrange(count...)
        do throws(SystemFailure) {
            try FileDescriptor(file).writeAll(compressed)
        } catch {
            ftruncate(file, off_t(bytes))
            throw error
        }
        added.append(Entry(contents, header, bytes: bytes..<(bytes + count)))
        runs.insert(header.run)
        bytes += count
        addition.runs += 1
        addition.plainBytes += UInt64(contents.lines.count)
        addition.bytes += UInt64(count)
    }

    /// Makes all that was added safe, and gives what that was.
    func commit() throws(SystemFailure) -> Addition {
        guard !added.isEmpty else { return Addition() }
        guard fdatasync(file) == 0 else { throw SystemFailure() }
        try FileDescriptor(list).writeAll(added.map(\.text).joined())
        guard fdatasync(list) == 0 else { throw SystemFailure() }
        added = []
        defer { addition = Addition() }
        return addition
    }

    // MARK: - Lists

    /// The runs of a list; a last line that is cut off is none.
    static func entries(of list: String) -> [Entry] {
        guard let text = try? String(decoding: FileBytes.read(list), as: UTF8.self) else { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        lines.removeLast()
        return lines.compactMap { Entry(String($0)) }
    }

    /// The lists below a folder that were changed since a time, us since 1970.
    static func lists(in folder: String, since time: Int64) -> [String] {
        (FileNames.names(in: folder, endingWith: "") ?? []).flatMap { tenant -> [String] in
            guard !tenant.hasPrefix(".") else { return [] }
            let dates = FileNames.names(in: "\(folder)/\(tenant)", endingWith: "") ?? []
            return dates.filter { !$0.hasPrefix(".") }.flatMap { date -> [String] in
                let path = "\(folder)/\(tenant)/\(date)"
                return (FileNames.names(in: path, endingWith: listSuffix) ?? []).map { "\(path)/\($0)" }
                    .filter { changed($0) >= time }
            }
        }
    }

    private static func changed(_ path: String) -> Int64 {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000
    }
}
