internal import Archive
internal import EventModel
internal import HostSupport

/// `split`: whole runs into archives of a size.
///
/// A run stays in the archive in which it began, also when lines of later runs stand between its own.
final class ArchiveSplit: ArchiveTool {
    private static let mostOpen = 64

    private let name: String
    private let ending: String
    private let runs: Int
    private let size: Int
    private var part = 0
    private var runsInPart = 0
    private var bytesInPart = 0
    private var made: Set<Int> = []
    private var outputs: [(part: Int, output: ArchiveOutput)] = []
    private var parts: [String: Int] = [:]
    private var inputs = ReadFiles()

    /// Begins another archive after so many runs or so many bytes of plain text.
    init(name: String, runs: Int, size: Int) {
        let endings = [".gz", ".zst"].filter(name.hasSuffix)
        var stem = String(name.dropLast(endings.first?.count ?? 0))
        if stem.hasSuffix(".tally") { stem.removeLast(6) }
        self.name = stem
        ending = ".tally" + (endings.first ?? "")
        self.runs = runs
        self.size = size
    }

    func begin(reading files: ReadFiles) throws(HostError) {
        inputs = files
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        if case .header = line.content {
            if part == 0 || runsInPart >= runs || bytesInPart >= size {
                part += 1
                runsInPart = 0
                bytesInPart = 0
            }
            runsInPart += 1
            parts[line.run] = part
        }
        guard let place = parts[line.run] else { return }
        unsafe try output(place).write(line.bytes)
        if place == part { bytesInPart += unsafe line.bytes.count + 1 }
        if case .end = line.content { parts[line.run] = nil }
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        for (_, output) in outputs { try output.finish() }
        try print(ReadableNumber.counted(part, "archive"))
    }

    /// The archive of a part, opened again where too many others were open in between.
    private func output(_ part: Int) throws(HostError) -> ArchiveOutput {
        if let found = outputs.last(where: { $0.part == part }) { return found.output }
        if outputs.count == Self.mostOpen { try outputs.removeFirst().output.finish() }
        let path = "\(name)-\(ReadableNumber.padded(part, to: 5))\(ending)"
        try inputs.check(path)
        let output = try ArchiveOutput(
            path,
            ArchiveOutput.Compression(path: path),
            appends: !made.insert(part).inserted
        )
        outputs.append((part, output))
        return output
    }
}
