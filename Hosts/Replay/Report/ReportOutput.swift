internal import Glibc
internal import HostSupport
internal import Pages
internal import System
internal import Tally
internal import TextEncoding
internal import Viewing

/// Where a report goes, and in which form.
struct ReportOutput {
    private let arguments: CommandLineArguments
    private let path: String?

    init(_ arguments: CommandLineArguments) {
        self.arguments = arguments
        let given = arguments[ReportSyntax.output]
        path = given == "-" ? nil : given
    }

    /// Makes sure that the file can be written, before the work, and is none of those that are read.
    func check(reading archives: [ArchiveOperand]) throws(HostError) {
        guard let path else { return }
        try ArchiveOperand.files(archives).check(path)
        let folder = PathName.folder(of: path)
        guard unsafe access(PathName.bytes(folder.isEmpty ? "." : folder), W_OK) == 0 else {
            throw .cannotCreate(path: path, reason: SystemError.text(errno))
        }
    }

    /// Writes the report of what was collected: the set that was asked for, and the one that it is compared with.
    func write(_ sets: [ReportedSet]) throws(HostError) {
        let buffer = ByteBuffer(capacity: 1 << 20)
        if arguments[ReportSyntax.csv] {
            for set in sets.prefix(1) { set.collector.sessions.writeTable(to: buffer) }
        } else if arguments[ReportSyntax.json] {
            appendJSON(sets, to: buffer)
        } else {
            appendDocument(sets, to: buffer)
        }
        if let path {
            try TextFile.replace(path, with: buffer.string)
        } else {
            let shown = printable(buffer.string)
            try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(shown) }
        }
    }

    /// What a terminal may have of it; a document has all data packed.
    private func printable(_ text: String) -> String {
        if arguments[ReportSyntax.csv] { return PrintableText.escaped(lines: text) }
        return arguments[ReportSyntax.json] ? PrintableText.json(text: String(text.dropLast())) + "\n" : text
    }

    private func appendDocument(_ sets: [ReportedSet], to buffer: ByteBuffer) {
        let document = PageDocument(buffer, title: "Tally report")
        document.add(part: "overview", gzip: PagePacking.gzip(overview(sets)))
        for set in sets.prefix(1) {
            let sessions = set.collector.sessions
            document.add(part: "sessions", gzip: PagePacking.gzip(Self.list(sessions)))
            for session in sessions.packedPages {
                guard let page = session.page else { continue }
                document.add(part: "session/\(session.run)/\(session.number)", gzip: page)
            }
        }
        document.end()
    }

    private func appendJSON(_ sets: [ReportedSet], to buffer: ByteBuffer) {
        var writer = JSONWriter(buffer)
        writer.beginObject()
        writer.key("overview")
        unsafe overview(sets).withUnsafeBytes { unsafe writer.raw($0) }
        for set in sets.prefix(1) {
            writer.key("sessions")
            unsafe Self.list(set.collector.sessions).withUnsafeBytes { unsafe writer.raw($0) }
        }
        writer.endObject()
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func list(_ sessions: ViewedSessions) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 1 << 16)
        var writer = JSONWriter(buffer)
        sessions.writeSessions(to: &writer)
        return buffer.bytes
    }

    /// What the pages have of all sessions, as docs/report.md has it.
    private func overview(_ sets: [ReportedSet]) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 1 << 16)
        var writer = JSONWriter(buffer)
        writer.beginObject()
        writer.key("form")
        writer.int(1)
        writer.key("made_ms")
        writer.int(SystemTime.wall() / 1000)
        writer.key("made_by")
        writer.string("tally-replay \(TallyVersion.full.version)")
        writer.key("personal")
        writer.bool(arguments[ReportSyntax.personal])
        writer.key("command")
        writer.string(command)
        for (key, set) in zip(["now", "before"], sets) {
            writer.key(key)
            writer.beginObject()
            writer.key("archives")
            writer.beginArray()
            for archive in set.archives { writer.string(archive.name) }
            writer.endArray()
            writer.key("unselected_runs")
            writer.int(Int64(clamping: set.unselectedRuns))
            set.collector.sessions.writeOverview(to: &writer)
            writer.endObject()
        }
        if sets.count == 2 {
            writer.key("differences")
            sets[0].collector.sessions.writeDifferences(from: sets[1].collector.sessions, to: &writer)
        }
        writer.endObject()
        return buffer.bytes
    }

    /// The command that makes a report of one run of the same archives, but for the run's id behind it.
    private var command: String {
        let operands = arguments.operands.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        return (["tally-replay report"] + operands + ["-o session.html --run"]).joined(separator: " ")
    }
}
