internal import Archive
internal import EventModel
internal import Glibc
internal import HostSupport
internal import System
internal import Tally
internal import TextEncoding

/// What an archive holds, in a file beside it: its runs, when they were, what they play, and where their lines lie.
///
/// It is made of an archive without damage, and good for that very file alone. Its first line says for which, and has
/// the digest of the others, one for each run: one that is damaged or of another state is never believed.
struct ArchiveIndex {
    /// A player run.
    struct Run {
        /// In how many places its lines may lie; an archive whose runs lie among each other is read whole.
        private static let mostStretches = 256

        let id: String
        /// Wall clock at its time 0, us since 1970.
        let epoch: Int64
        /// Whether nothing but its header is left.
        let isErased: Bool
        /// The latest time of its lines, us.
        private(set) var time: Int64 = 0
        /// What is played in each session, by its number; 0 stands for what is in none.
        private(set) var assets: [Int: Set<String>] = [:]
        /// Where its lines lie in the plain text, rising; nil when that is in too many places.
        private(set) var stretches: [Range<Int>]? = []
        private var session: SessionNumber

        /// Begins before the first line.
        init(_ header: ArchiveHeader) {
            id = header.run
            epoch = header.epoch
            isErased = header.isErased
            session = SessionNumber(header)
        }

        /// Reads a line of the run.
        mutating func read(_ line: ArchiveLine) {
            time = max(time, line.time ?? 0)
            guard case .event(let event) = line else { return }
            if event.type == .videoLoad {
                session.begin()
                assets[session.open] = []
            }
            if let asset = event.attributes[.videoID]?.string { assets[session.open, default: []].insert(asset.string) }
            if event.type == .videoUnload { session.end() }
        }

        /// Adds the place of a line.
        mutating func add(_ line: Range<Int>) {
            guard let own = stretches else { return }
            if let last = own.last, last.upperBound == line.lowerBound {
                stretches?[own.count - 1] = last.lowerBound..<line.upperBound
            } else {
                stretches = own.count < Self.mostStretches ? own + [line] : nil
            }
        }
    }

    /// By what an archive is known to be as it was: it cannot be written without its time of change, which nobody sets.
    struct FileState: Equatable {
        fileprivate let bytes: Int64
        fileprivate let inode: Int64
        fileprivate let changed: Int64

        /// The file as it is; nil when it cannot be looked at.
        init?(_ path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            bytes = Int64(status.st_size)
            inode = Int64(bitPattern: UInt64(status.st_ino))
            changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        }
    }

    /// The runs in the order of their headers; one that begins twice is there twice.
    var runs: [Run]

    /// The name of an archive's index.
    static func path(of archive: String) -> String { archive + ".index" }

    /// Whether a path names the index of an archive that lies beside it.
    static func isIndex(_ path: String) -> Bool {
        guard path.hasSuffix(".index") else { return false }
        return unsafe access(String(path.dropLast(6)), F_OK) == 0
    }

    /// What has to be read of the archive for the wanted runs; nil when that is all.
    func excerpt(of isWanted: (String) -> Bool) -> ArchiveExcerpt? {
        var excerpt = ArchiveExcerpt()
        var wanted: [Range<Int>] = []
        for run in runs {
            // A replay tells of an erased run, and where it is.
            if run.isErased { return nil }
            guard isWanted(run.id) else {
                excerpt.otherRuns += 1
                continue
            }
            guard let stretches = run.stretches else { return nil }
            wanted += stretches
        }
        for stretch in wanted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = excerpt.stretches.last, last.upperBound == stretch.lowerBound {
                excerpt.stretches[excerpt.stretches.count - 1] = last.lowerBound..<stretch.upperBound
            } else {
                excerpt.stretches.append(stretch)
            }
        }
        return excerpt
    }
}

// The file.
extension ArchiveIndex {
    private static let format: Int64 = 1

    /// Reads the index of an archive; nil without one, and after a warning when it cannot be believed.
    static func read(of archive: String, _ log: LogPrinter) -> ArchiveIndex? {
        let path = path(of: archive)
        guard unsafe access(path, F_OK) == 0 else { return nil }
        guard let bytes = try? WholeFile.read(path), let (state, index) = parse(bytes) else {
            log.show(.warning, "\(path): the index is damaged, and \(archive) is read without it; make it anew")
            return nil
        }
        guard let now = FileState(archive), state == now.json else {
            log.show(
                .warning,
                "\(path): the index is of another state of \(archive), which is read without it; make it anew"
            )
            return nil
        }
        return index
    }

    /// Writes it beside the archive, which has to be in this state still.
    func write(beside archive: String, in state: FileState) throws(HostError) {
        let lines = runs.map { $0.json.canonicalText + "\n" }.joined()
        let head: JSONValue = [
            "tally_index": .int(Self.format), "archive": state.json, "sha256": .string(SHA256.hex(of: lines)),
        ]
        guard FileState(archive) == state else {
            throw .cannotCreate(path: Self.path(of: archive), reason: "the archive was written meanwhile")
        }
        do throws(SystemFailure) {
            try WholeFile.replace(Self.path(of: archive), with: head.canonicalText + "\n" + lines)
        } catch {
            throw .cannotCreate(path: Self.path(of: archive), reason: SystemError.text(error.number))
        }
    }

    private static func parse(_ bytes: [UInt8]) -> (state: JSONValue, index: ArchiveIndex)? {
        let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2, let head = try? JSONParser().parse(Array(lines[0])),
            head["tally_index"]?.int == format, let state = head["archive"],
            unsafe head["sha256"]?.string == lines[1].withUnsafeBytes({ unsafe SHA256.hex(of: $0) })
        else { return nil }
        var runs: [Run] = []
        for line in lines[1].split(separator: 0x0A) {
            guard let json = try? JSONParser().parse(Array(line)), let run = Run(json) else { return nil }
            runs.append(run)
        }
        return (state, ArchiveIndex(runs: runs))
    }
}

extension ArchiveIndex.FileState {
    fileprivate var json: JSONValue { ["bytes": .int(bytes), "inode": .int(inode), "changed_ns": .int(changed)] }
}

extension ArchiveIndex.Run {
    fileprivate var json: JSONValue {
        var assets = JSONObject()
        for (session, own) in self.assets.sorted(by: { $0.key < $1.key }) {
            assets["\(session)"] = .array(own.sorted().map { .string($0) })
        }
        let lines = stretches.map { stretches in
            JSONValue.array(stretches.flatMap { [.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))] })
        }
        return [
            "run": .string(id), "epoch_us": .int(epoch), "erased": .bool(isErased), "run_time_us": .int(time),
            "assets": .object(assets), "lines": lines ?? .null,
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let id = json["run"]?.string, let epoch = json["epoch_us"]?.int, let time = json["run_time_us"]?.int,
            let isErased = json["erased"]?.bool, let assets = json["assets"]?.object, let lines = json["lines"]
        else { return nil }
        self.id = id
        self.epoch = epoch
        self.isErased = isErased
        self.time = time
        session = SessionNumber()
        for member in assets {
            guard let number = Int(member.key), let own = member.value.array else { return nil }
            self.assets[number] = Set(own.compactMap(\.string))
        }
        guard lines != .null else {
            stretches = nil
            return
        }
        let bounds = (lines.array ?? []).compactMap { $0.int.flatMap { Int(exactly: $0) } }
        guard bounds.count.isMultiple(of: 2), bounds.allSatisfy({ $0 >= 0 }),
            zip(bounds, bounds.dropFirst()).allSatisfy(<)
        else { return nil }
        stretches = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] }
    }
}
