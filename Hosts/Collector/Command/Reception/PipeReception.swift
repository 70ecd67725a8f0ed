internal import Archive
internal import CollectedRuns
internal import EventModel
internal import Glibc
internal import HostSupport
internal import Journal
internal import System
internal import Tally
internal import TextEncoding

/// Takes lines from standard input: track calls as an archive has them, each with its run.
///
/// Standard output gets a line for each run and read, `{"run":"a","safe":7}`, once all up to there is safe.
final class PipeReception: Sendable {
    private let pool: RunPool
    private let journal: Journal
    private let tenant: String
    private let unknownWords: UnknownWords
    private let log: LogPrinter
    /// The longest line, bytes.
    private static let longestLine = NativeBatch.longestLine

    init(_ pool: RunPool, _ journal: Journal, tenant: String, _ unknownWords: UnknownWords, _ log: LogPrinter) {
        self.unknownWords = unknownWords
        self.pool = pool
        self.journal = journal
        self.tenant = tenant
        self.log = log
    }

    /// Lines of one run that were read together.
    private struct Lines {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var time: Int64 = 0
        var text: [UInt8] = []
    }

    /// Reads to the end, and ends the runs that came this way.
    func run() {
        let decoder = ArchiveLineDecoder()
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        var line = 0
        var known: Set<String> = []
        while true {
            let count = unsafe read(0, &buffer, buffer.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                break
            }
            rest.append(contentsOf: buffer[..<count])
            guard let end = rest.lastIndex(of: 0x0A) else {
                if rest.count > Self.longestLine {
                    log.show(
                        .error,
                        "standard input, line \(line + 1): longer than \(Self.longestLine) bytes; left out"
                    )
                    rest = []
                }
                continue
            }
            var order: [String] = []
            var runs: [String: Lines] = [:]
            for text in rest[..<end].split(separator: 0x0A, omittingEmptySubsequences: false) {
                line += 1
                if !text.isEmpty { add(Array(text), line, decoder, &order, &runs) }
            }
            rest.removeSubrange(...end)
            for run in order {
                if let lines = runs[run] { keep(run, lines) }
                known.insert(run)
            }
        }
        if !rest.isEmpty {
            log.show(.warning, "standard input ends in the midst of line \(line + 1), which is left out")
        }
        journal.close()
        pool.end(known.map { RunKey(tenant: tenant, form: .native, name: $0) })
    }

    private func add(
        _ text: [UInt8],
        _ number: Int,
        _ decoder: ArchiveLineDecoder,
        _ order: inout [String],
        _ runs: inout [String: Lines]
    ) {
        let decoded: Result<ArchiveLine, ArchiveLineProblem> = unsafe text.withUnsafeBytes { bytes in
            Result { () throws(ArchiveLineProblem) in unsafe try decoder.decode(bytes) }
        }
        let line: ArchiveLine
        do throws(ArchiveLineProblem) {
            line = try decoded.get()
        } catch {
            return log.show(.warning, "standard input, line \(number): \(error); left out")
        }
        // An archive's own header says nothing that the collector does not say itself.
        if case .header = line { return }
        if let problem = NativeBatch.problem(with: line) {
            return log.show(.warning, "standard input, line \(number): \(problem); left out")
        }
        let run = decoder.run.string
        guard Tenant.isName(run) else {
            return log.show(
                .warning,
                "standard input, line \(number): a run's name has up to 64 letters, digits, dots, dashes and underscores; "
                    + "left out"
            )
        }
        if runs[run] == nil { order.append(run) }
        var lines = runs[run] ?? Lines()
        guard decoder.ordinal > lines.last else {
            return log.show(
                .warning,
                "standard input, line \(number): n is \(decoder.ordinal), which came already; left out"
            )
        }
        if lines.first == 0 { lines.first = decoder.ordinal }
        lines.last = decoder.ordinal
        lines.time = max(lines.time, line.time ?? 0)
        unknownWords.count(NativeBatch.unknownWords(of: line, decoder), of: tenant)
        lines.text += text + [0x0A]
        runs[run] = lines
    }

    private func keep(_ run: String, _ lines: Lines) {
        let key = RunKey(tenant: tenant, form: .native, name: run)
        while true {
            // A pipe waits where a page is told to come again.
            while !pool.backlog.hasRoom(for: tenant) { usleep(10_000) }
            let generation = journal.generation
            let now = SystemTime.wall()
            // Lines that are not there were lost before they came here: nobody sends them again.
            let admission = pool.intake.admit(
                key,
                first: lines.first,
                last: lines.last,
                lost: lines.first - 1,
                limit: .max,
                now: now
            )
            guard case .beyond(let before) = admission else {
                return log.show(.warning, "the run \(run) is over: lines up to \(lines.last) are left out")
            }
            guard before < lines.last else { return tell(run, safe: pool.intake.confirm(key, upTo: 0)) }
            var reports = ReceivedReports(key, received: now, text: lines.text)
            reports.sent = lines.time
            reports.last = lines.last
            let outcome = Condition<Bool?>(nil)
            let entry = reports
            pool.backlog.add(entry)
            let isAppended = journal.append([reports.bytes], generation: generation) { [pool] made in
                if case .success(let range) = made { pool.accept(entry, entry: range.lowerBound) }
                let isSafe = if case .success = made { true } else { false }
                outcome.change { $0 = isSafe }
            }
            if isAppended, outcome.wait(until: nil, for: { $0 }) == true {
                return tell(run, safe: pool.intake.confirm(key, upTo: lines.last))
            }
            pool.backlog.remove(entry)
            pool.intake.withdraw(key)
            usleep(200_000)
        }
    }

    private func tell(_ run: String, safe: UInt64) {
        let text = JSONValue.object(["run": .string(run), "safe": .int(Int64(clamping: safe))]).canonicalText + "\n"
        // Who does not read what is safe has their lines taken all the same.
        try? FileDescriptor(1).writeAll(text)
    }
}
