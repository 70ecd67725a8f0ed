internal import HostSupport
internal import Tally

/// Shows how far a replay has come: a bar on a terminal, and otherwise now and then a line.
final class ReplayProgressBar: Sendable {
    /// How often a bar is drawn, us.
    private static let drawEvery: Int64 = 100_000
    /// Characters of the bar itself.
    private static let width = 20

    private let inputs: ArchiveInputs
    private let line: SharedProgressLine
    private let log: LogPrinter
    private let isQuiet: Bool
    /// How often a line is written where there is no terminal, us.
    private let tellEvery: Int64
    private let started = SystemTime.monotonic()
    private let due: Lock<Int64>

    init(_ inputs: ArchiveInputs, on line: SharedProgressLine, log: LogPrinter, isQuiet: Bool, every seconds: Double) {
        self.inputs = inputs
        self.line = line
        self.log = log
        self.isQuiet = isQuiet
        tellEvery = Int64(seconds * 1e6)
        due = Lock(line.isShown ? started : started + tellEvery)
    }

    /// Shows the progress when it is time; called often.
    func show(_ progress: ReplayProgress) {
        guard !isQuiet else { return }
        let now = SystemTime.monotonic()
        let isDue = due.with { due in
            guard now >= due else { return false }
            due = now + (line.isShown ? Self.drawEvery : tellEvery)
            return true
        }
        guard isDue else { return }
        let text = Self.text(progress, bytes: inputs.bytesTaken, of: inputs.size, elapsed: now - started)
        if line.isShown {
            line.show(Self.bar(inputs.bytesTaken, of: inputs.size) + text)
        } else {
            log.show(.info, text)
        }
    }

    /// The bar with a space behind it; nothing when nobody knows how much there is.
    static func bar(_ bytes: Int, of size: Int64?) -> String {
        guard let size, size > 0 else { return "" }
        let filled = min(width, Int(Double(bytes) / Double(size) * Double(width)))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "] "
    }

    /// Runs, events and megabytes a second, and how long it still takes.
    static func text(_ progress: ReplayProgress, bytes: Int, of size: Int64?, elapsed: Int64) -> String {
        let seconds = max(Double(elapsed) / 1e6, 0.001)
        var parts = [
            ReadableNumber.counted(progress.runs, "run"),
            "\(ReadableNumber.grouped(Int(Double(progress.events) / seconds))) events/s",
            "\(ReadableNumber.grouped(Int(Double(bytes) / 1e6 / seconds))) MB/s",
        ]
        if let size, size > 0, bytes > 0 {
            let share = min(Double(bytes) / Double(size), 1)
            let left = Int64((seconds / share - seconds) * 1e6)
            parts.insert("\(Int(share * 100)) %", at: 0)
            parts.append("\(ReadableNumber.shortTime(microseconds: left)) left")
        }
        return parts.joined(separator: ", ")
    }
}
