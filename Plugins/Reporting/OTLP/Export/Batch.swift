internal import PluginKit
internal import Spooling

/// Which of the three requests of the protocol something belongs to.
enum Signal: String, Sendable, CaseIterable {
    case logs
    case traces
    case metrics

    /// The path behind the endpoint.
    var path: String { "/v1/\(rawValue)" }

    /// Fields of the request, of the list in it, and of the elements in that.
    var fields: (request: Field, scopes: Field, elements: Field) {
        switch self {
        case .logs: (ExportFields.logs, ExportFields.scopeLogs, ExportFields.logRecords)
        case .traces: (ExportFields.spans, ExportFields.scopeSpans, ExportFields.spanList)
        case .metrics: (ExportFields.metrics, ExportFields.scopeMetrics, ExportFields.metricList)
        }
    }
}

/// Elements of one session that go out as one request, until they are as many as that may have.
///
/// Where one ends follows from the run's outputs alone, and what names it in the spool is the number of its last
/// element: what was taken once is known again after a crash.
struct Batch {
    /// Elements and bytes of a request.
    static let mostElements = 512
    static let mostBytes = 256 << 10

    let signal: Signal
    let scope: Message
    let session: UInt32
    private(set) var elements: [[UInt8]] = []
    private var bytes = 0
    private(set) var last: UInt64 = 0

    init(_ signal: Signal, scope: Message, session: UInt32) {
        (self.signal, self.scope, self.session) = (signal, scope, session)
    }

    var isFull: Bool { elements.count >= Self.mostElements || bytes >= Self.mostBytes }

    mutating func add(_ element: [UInt8], number: UInt64) {
        elements.append(element)
        bytes += element.count
        last = max(last, number)
    }

    /// The request's body.
    func body(_ resource: Message, _ encoding: Encoding) -> [UInt8] {
        let fields = signal.fields
        let inner = Message((ExportFields.scope, .message(scope)), (fields.elements, .encoded(elements)))
        // The elements are encoded, and so is all around them.
        let outer = Message(
            (ExportFields.resource, .message(resource)),
            (fields.scopes, .encoded([encoding.bytes(of: inner)]))
        )
        return encoding.bytes(of: Message((fields.request, .encoded([encoding.bytes(of: outer)]))))
    }
}
