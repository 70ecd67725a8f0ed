internal import Archive
internal import Glibc
internal import System
internal import TextEncoding

/// The file of a run that goes on: its archive's lines, and between them what a restart needs to know.
///
/// Lines that begin with `#` are no archive's: `#k` says whose run it is, `#r` and `#a` what its interpretation was
/// told, `#j` up to which entry of the journal all above is done, `#e` that the run is over. What stands behind the
/// last `#j` was cut off, and is done again from the journal.
enum OpenRunFile {
    /// What a file holds that is whole.
    struct Contents {
        /// Whose run it is.
        let key: RunKey
        /// The archive's lines.
        var lines: [UInt8] = []
        /// What the interpretation was told: `r` with a report, `a` for time that passed.
        var told: [(time: Int64, report: String?)] = []
        /// Up to where all is done.
        var place = RunPlace()
        /// Whether the run is over.
        var isOver = false
        /// How many bytes of it are whole.
        var bytes = 0
        /// The line, from 1, at which the file is damaged, and behind which all is lost; nil when it is not.
        var damagedLine: Int?
    }

    /// The first line of a file.
    static func keyLine(_ key: RunKey) -> String {
        let members: JSONObject = [
            "tenant": .string(key.tenant), "form": .string(key.form.word), "run": .string(key.name),
        ]
        return "#k \(JSONValue.object(members).canonicalText)\n"
    }

    /// Appends bytes to a file that has `count`; on failure it has as many as before.
    static func append(_ bytes: UnsafeRawBufferPointer, to path: String, at count: Int) throws(SystemFailure) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            unsafe try FileDescriptor(descriptor).writeAll(bytes)
        } catch {
            ftruncate(descriptor, off_t(count))
            throw error
        }
    }

    /// What a file holds.
    static func contents(of path: String) throws(SystemFailure) -> Contents {
        guard let contents = contents(of: try FileBytes.read(path)) else { throw SystemFailure(number: ENODATA) }
        return contents
    }

    /// What the bytes of a file say; nil when nothing of it is whole.
    static func contents(of bytes: [UInt8]) -> Contents? {
        var contents: Contents?
        var done: Contents?
        var place = 0
        var number = 0
        while let end = bytes[place...].firstIndex(of: 0x0A) {
            let line = bytes[place..<end]
            place = end + 1
            number += 1
            guard line.first == UInt8(ascii: "#") else {
                contents?.lines.append(contentsOf: line)
                contents?.lines.append(0x0A)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            let rest = text.dropFirst(3)
            switch text.dropFirst().first {
            case "k": contents = key(String(rest)).map { Contents(key: $0) }
            case "r":
                let space = rest.firstIndex(of: " ") ?? rest.endIndex
                guard let time = time(rest[..<space]) else { return damaged(done, at: number) }
                contents?.told.append((time, String(rest[space...].dropFirst())))
            case "a":
                guard let time = time(rest) else { return damaged(done, at: number) }
                contents?.told.append((time, nil))
            case "j":
                guard let reached = RunPlace(String(rest)) else { return damaged(done, at: number) }
                contents?.place = reached
                contents?.bytes = place
                done = contents
            case "e":
                contents?.isOver = true
                contents?.bytes = place
                done = contents
            default: break
            }
        }
        return done
    }

    /// Whether a file has something that is done, and that the journal may have forgotten.
    static func hasWork(_ path: String) throws(SystemFailure) -> Bool {
        let mark = Array("\n#j ".utf8)
        return try FileBytes.read(path).firstRange(of: mark) != nil
    }

    private static func damaged(_ contents: Contents?, at line: Int) -> Contents? {
        var contents = contents
        contents?.damagedLine = line
        return contents
    }

    /// A time, us since 1970; nil when it is none, or of no year that a clock has.
    private static func time(_ text: Substring) -> Int64? {
        Int64(text).flatMap { RunPlace.times.contains($0) ? $0 : nil }
    }

    private static func key(_ text: String) -> RunKey? {
        guard let json = try? JSONParser().parse(text), let tenant = json["tenant"]?.string,
            let form = json["form"]?.string.flatMap(ReportForm.init(word:)), let run = json["run"]?.string
        else { return nil }
        return RunKey(tenant: tenant, form: form, name: run)
    }

    /// Cuts off what is not whole.
    static func truncate(_ path: String, to count: Int) {
        unsafe Glibc.truncate(path, off_t(count))
    }

    /// The header of a run's lines.
    static func header(of lines: [UInt8]) -> ArchiveHeader? {
        let reader = ArchiveReader(source(of: lines))
        guard case .header(let header)? = try? reader.next(damaged: { _ in }) else { return nil }
        return header
    }

    /// A run's lines, as from a file.
    static func source(of lines: [UInt8]) -> ArchiveSource {
        var place = 0
        return unsafe ArchiveSource(path: "a run's file") { buffer throws(ArchiveSource.Failure) in
            let count = min(buffer.count, lines.count - place)
            unsafe buffer.copyBytes(from: lines[place..<(place + count)])
            place += count
            return count
        }
    }
}
