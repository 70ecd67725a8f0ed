internal import Coordinator
internal import HostSupport
internal import PluginKit
internal import System
internal import TextEncoding
internal import Viewing

/// Takes all outputs of a replay for the pages, from whatever thread hands them on, one at a time.
final class ReportCollector: OutputConsumer, Sendable {
    /// What rules of delivery call it, as if it were a reporter.
    static let reporterName = "report"

    private struct Content: @unchecked Sendable {
        let sessions: ViewedSessions
    }

    let wanted = ViewedSessions.wanted.rawValue
    private let content: Lock<Content>

    init(pages: Int, personal: Bool, grouping: [String]) {
        var limits = ViewedSessions.Limits()
        limits.pages = pages
        content = Lock(
            Content(
                sessions: ViewedSessions(limits: limits, personal: personal, grouping: grouping, pack: Self.packed)
            )
        )
    }

    func consume(_ output: Output) {
        unsafe output.withRaw { raw in
            let view = unsafe OutputView(raw)
            content.with { $0.sessions.look(at: view) }
        }
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }

    /// What was collected, once the replay is over.
    var sessions: ViewedSessions {
        let content = content.with { $0 }
        return content.sessions
    }

    /// The bytes compressed by gzip.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        let buffer = ByteBuffer(capacity: bytes.count / 8 + 64)
        guard let compressor = GzipCompressor(),
            unsafe bytes.withUnsafeBytes({ unsafe compressor.append($0, atEnd: true, to: buffer) })
        else { preconditionFailure("there is no memory to compress \(bytes.count) bytes") }
        return buffer.bytes
    }
}
