internal import Archive
internal import EventModel
internal import Glibc
internal import HostSupport
internal import Tally

/// Finds archives that are parts of one, as a rotation makes them: those in which runs go on that began in another.
enum ArchiveParts {
    /// What the first lines of an archive say.
    private struct Begin {
        /// The first line's run.
        var run: String
        /// When that began by the wall clock, us since 1970, when the first line is its header.
        var epoch: Int64?
        /// The number and time of the run's first line behind a header.
        var ordinal: UInt64 = 0
        var time: Int64 = 0
    }

    /// Puts each archive that goes on in others into one with them, in the order of their lines, at the place of the
    /// first of them.
    ///
    /// `again` leaves alone what begins with the same run's header.
    static func joined(_ archives: [ArchiveOperand], again: Bool, _ log: LogPrinter) -> [ArchiveOperand] {
        guard archives.count > 1 else { return archives }
        // Nearly all are runs of their own, which little of them shows.
        let ids = archives.map(firstRun)
        let count = again ? [:] : Dictionary(ids.compactMap { $0 }.map { ($0, 1) }, uniquingKeysWith: +)
        let unsure = archives.indices.filter { ids[$0].map { count[$0, default: 1] > 1 } ?? true }
        var begins: [Int: Begin] = [:]
        for index in unsure {
            // Only the header is missing before a first line.
            guard let begin = begin(of: archives[index]), begin.epoch != nil || begin.ordinal > 1 else { continue }
            begins[index] = begin
        }
        guard !begins.isEmpty else { return archives }
        let headers = headers(of: Set(begins.values.map(\.run)), archives, ids)
        // The first part that is known of, and of that again.
        var first = Array(archives.indices)
        func group(_ index: Int) -> Int { first[index] == index ? index : group(first[index]) }
        for (index, begin) in begins.sorted(by: { $0.key < $1.key }) {
            guard let header = headers[begin.run], begin.epoch == nil || !again && begin.epoch == header.epoch else {
                continue
            }
            let (one, other) = (group(index), group(header.archive))
            first[max(one, other)] = min(one, other)
        }
        return Dictionary(grouping: archives.indices, by: group).sorted { $0.key < $1.key }.map { group, members in
            guard members.count > 1 else { return archives[group] }
            let dates = members.map { index -> (Int64, UInt64, Int) in
                guard let begin = begins[index] ?? begin(of: archives[index]) else { return (.max, 0, index) }
                let isFirst = begin.epoch != nil && begin.ordinal <= 1
                let time = (headers[begin.run]?.epoch ?? begin.epoch ?? 0) &+ (isFirst ? 0 : begin.time)
                return (time, isFirst ? 0 : begin.ordinal, index)
            }
            let paths = dates.sorted(by: <).map { archives[$0.2].operand }
            log.show(.info, "read as one archive, in this order: \(paths.joined(separator: ", "))")
            return .parts(paths)
        }
    }

    /// The run whose header is the first line, as Tally writes it; nil where more has to be looked at.
    private static func firstRun(_ archive: ArchiveOperand) -> String? {
        // Who writes a pipe notices that it is opened.
        guard case .file(let path) = archive, isFile(path) else { return "-" }
        let descriptor = unsafe open(PathName.bytes(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { buffer in
            let got = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            return unsafe run(ofHeader: UnsafeRawBufferPointer(rebasing: buffer[..<max(got, 0)]))
        }
    }

    /// The run of a header as Tally writes it; nil for any other line.
    private static func run(ofHeader line: UnsafeRawBufferPointer) -> String? {
        let (before, behind) = (Array(#"{"run":""#.utf8), Array(#"","n":0,"tally":"#.utf8))
        guard unsafe line.starts(with: before) else { return nil }
        let rest = unsafe line.dropFirst(before.count)
        guard let end = unsafe rest.firstIndex(where: { $0 == 0x22 || $0 == 0x5C }),
            unsafe line[end...].starts(with: behind)
        else { return nil }
        return unsafe String(decoding: line[before.count..<end], as: UTF8.self)
    }

    /// Whether it can be read again.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(PathName.bytes(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Where the header of each of these runs is, and when the run began.
    private static func headers(
        of runs: Set<String>,
        _ archives: [ArchiveOperand],
        _ ids: [String?]
    ) -> [String: (archive: Int, epoch: Int64)] {
        var headers: [String: (archive: Int, epoch: Int64)] = [:]
        // First where it takes a line; what is only found within an archive takes all of them.
        for isWhole in [false, true] where headers.count < runs.count {
            for index in archives.indices where isWhole || ids[index].map(runs.contains) ?? true {
                guard headers.count < runs.count, case .file(let path) = archives[index], isFile(path) else { continue }
                visit(path) { line in
                    if case .header(let header) = line, runs.contains(header.run), headers[header.run] == nil {
                        headers[header.run] = (index, header.epoch)
                    }
                    return isWhole && headers.count < runs.count
                }
            }
        }
        return headers
    }

    /// What the first lines that can be read say; nil when none can, or nobody can read them twice.
    private static func begin(of archive: ArchiveOperand) -> Begin? {
        guard case .file(let path) = archive, isFile(path) else { return nil }
        var begin: Begin?
        visit(path) { line, decoder in
            if case .header(let header) = line, begin == nil {
                begin = Begin(run: header.run, epoch: header.epoch)
                return true
            }
            let run = decoder.run.string
            if begin == nil { begin = Begin(run: run) }
            if begin?.run == run {
                begin?.ordinal = decoder.ordinal
                begin?.time = line.time ?? 0
            }
            return false
        }
        return begin
    }

    private static func visit(_ path: String, _ goesOn: (ArchiveLine) -> Bool) {
        visit(path) { line, _ in goesOn(line) }
    }

    /// Reads the lines of an archive that can be, as long as the closure says.
    private static func visit(_ path: String, _ goesOn: (ArchiveLine, ArchiveLineDecoder) -> Bool) {
        guard let input = try? InputFile(path) else { return }
        let source = unsafe ArchiveSource(path: path) { buffer throws(ArchiveSource.Failure) in
            // The replay tells what is wrong.
            unsafe (try? input.read(into: buffer)) ?? 0
        }
        let reader = ArchiveReader(source)
        while let line = try? reader.next(damaged: { _ in }), goesOn(line, reader.decoder) {}
    }
}
