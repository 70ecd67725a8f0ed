internal import Glibc
internal import PluginKit
internal import Serving
internal import Threads

/// Answers scrapes, and nothing else.
final class MetricsServer: @unchecked Sendable {
    /// How many connections there may be: Prometheus has one.
    private static let connections: UInt32 = 64

    private struct Counts {
        var scrapes: Int64 = 0
        var refused: Int64 = 0
    }

    /// The address of the metrics.
    let address: String
    private let admission: Admission
    private let state: Guarded<ScrapedState>
    private let host: ReporterHost
    private let counted = Guarded(Counts())
    private var listener: HTTPListener?

    /// Begins to answer.
    ///
    /// - Throws: that it cannot listen there, or that the token cannot be had.
    init(
        _ configuration: PrometheusConfiguration,
        _ state: Guarded<ScrapedState>,
        _ host: ReporterHost
    ) throws(ReporterFault) {
        self.state = state
        self.host = host
        var token: AccessToken?
        if let source = configuration.token { token = try AccessToken(at: source.place, of: "metrics") }
        admission = Admission(token, listening: configuration.listen, others: configuration.allowedHosts)
        let socket = try ListeningSocket(configuration.listen, port: configuration.port)
        let name = configuration.listen.contains(":") ? "[\(configuration.listen)]" : configuration.listen
        address = "http://\(name):\(socket.port)/metrics"
        let listener = HTTPListener { [unowned self] question in
            answer(question)
        } cut: {
        }
        try listener.begin(on: socket, connections: Self.connections, timeout: configuration.timeout)
        self.listener = listener
        host.log(.info, "metrics are at \(address)")
        if !["127.0.0.1", "::1", "localhost"].contains(configuration.listen), token == nil {
            host.log(.warning, "others can read the metrics: set \"token\", or listen on 127.0.0.1 behind a proxy")
        }
    }

    /// How many scrapes there were, and how many requests were refused.
    var counts: (scrapes: Int64, refused: Int64) { counted.with { ($0.scrapes, $0.refused) } }

    /// Answers nobody any more.
    func end() {
        listener?.end()
        listener = nil
    }

    private func answer(_ question: HTTPQuestion) -> Answer? {
        let decision = admission.decide(Admission.Request(question))
        guard decision == .admitted || decision == .welcomed else {
            let isFirst = counted.with { counts in
                counts.refused += 1
                return counts.refused == 1
            }
            let reason = decision.refusal ?? ""
            if isFirst {
                host.log(.warning, "a request for metrics is refused: \(reason); its query stats counts them")
            }
            return switch decision {
            case .wrongMethod: Answer.text(405, "Metrics can only be read.", [("Allow", "GET, HEAD")])
            case .unknown:
                Answer.text(
                    401,
                    "The metrics need their token.",
                    [("WWW-Authenticate", "Bearer realm=\"tally metrics\"")]
                )
            default: Answer.text(403, "This is no name of this server: add it to allowed_hosts.")
            }
        }
        guard question.path == "/metrics" else { return Answer.text(404, "The metrics are at /metrics.") }
        counted.with { $0.scrapes += 1 }
        let form = ExpositionText.Form(accepting: question.header("Accept"))
        return Answer(state.with { $0.text(form) }, type: form.type)
    }
}
