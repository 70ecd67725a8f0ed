internal import HostSupport
internal import Metrics
internal import System
internal import TextEncoding

/// Writes sessions to standard output as they end, from any thread.
final class SessionListing: Sendable {
    private static let writeSize = 256 * 1024

    private struct Pending {
        var text = ""
        var failure: StandardStream.Failure?
    }

    private let dimensions: [String]
    private let csv: Bool
    private let pending = Lock(Pending())

    init(_ set: MetricSet, csv: Bool) {
        dimensions = set.dimensions
        self.csv = csv
        if csv { pending.with { $0.text = PrintableText.escaped(lines: MetricColumns.ofSessions(dimensions)) } }
    }

    /// Adds a session.
    func show(_ session: SessionMetrics) {
        let line: String
        if csv {
            line = PrintableText.escaped(lines: MetricColumns.row(of: session, dimensions))
        } else {
            let buffer = ByteBuffer(capacity: 4096)
            var writer = JSONWriter(buffer)
            session.write(to: &writer, dimensions: dimensions)
            line = PrintableText.json(text: buffer.string) + "\n"
        }
        pending.with { pending in
            pending.text += line
            if pending.text.utf8.count >= Self.writeSize { Self.write(&pending) }
        }
    }

    /// Writes what is still held; fails when anything could not be written.
    func finish() throws(HostError) {
        let failure = pending.with { pending in
            Self.write(&pending)
            return pending.failure
        }
        if let failure { throw .output(failure) }
    }

    private static func write(_ pending: inout Pending) {
        defer { pending.text = "" }
        guard pending.failure == nil else { return }
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(pending.text)
        } catch {
            pending.failure = error
        }
    }
}
