package import PluginKit
package import Spooling

/// Brings beacons as requests.
package final class HTTPCarrier: Carrier, @unchecked Sendable {
    /// How a server's answers are read.
    package struct Answers: Sendable {
        /// Whether the same request may do better another time than with this status.
        let mayRetry: @Sendable (_ status: Int) -> Bool
        /// How many bytes of a body are kept for ``read``.
        let bytes: Int
        /// Reads the body of an answer that says that the beacon was taken; on the sender's thread.
        let read: @Sendable (StoredBeacon, _ body: [UInt8]) -> Void
        /// Is told of a beacon that is given up for its status; on the sender's thread.
        let refused: @Sendable (StoredBeacon, _ status: Int) -> Void

        /// As HTTP has it: a status says all.
        package static let ofHTTP = Answers(
            mayRetry: { TransferFailure.mayRetry(status: $0) },
            bytes: 0,
            read: { _, _ in }
        )

        /// Answers of another protocol over HTTP.
        package init(
            mayRetry: @escaping @Sendable (_ status: Int) -> Bool,
            bytes: Int,
            read: @escaping @Sendable (StoredBeacon, _ body: [UInt8]) -> Void,
            refused: @escaping @Sendable (StoredBeacon, _ status: Int) -> Void = { _, _ in }
        ) {
            (self.mayRetry, self.bytes, self.read, self.refused) = (mayRetry, bytes, read, refused)
        }
    }

    /// Requests under way to all destinations together.
    private static let mostUnderway = 64

    private let pool: TransferPool
    private let answers: Answers
    private var secrets: TransferOptions.Secrets
    /// The secrets' names, for the reporter's thread.
    package var names: TransferOptions.Secrets.Keys

    /// Prepares to send.
    ///
    /// - Throws: when libcurl cannot be used.
    package init(
        _ options: TransferOptions,
        _ secrets: TransferOptions.Secrets,
        _ answers: Answers = .ofHTTP
    ) throws(ReporterFault) {
        guard let pool = TransferPool(options, answerBytes: answers.bytes) else {
            throw ReporterFault("libcurl cannot be used; check which libcurl is installed", cause: .reporter)
        }
        self.pool = pool
        self.answers = answers
        self.secrets = secrets
        names = secrets.keys
    }

    /// Sends what begins from now on with another configuration.
    package func reconfigure(_ options: TransferOptions, _ secrets: TransferOptions.Secrets) {
        self.secrets = secrets
        pool.options = options
    }

    /// The beacons under way.
    package var underway: [StoredBeacon] { pool.underway }
    /// How many they are.
    package var count: Int { pool.count }
    /// How many may be.
    package var limits: (all: Int, one: Int) { (Self.mostUnderway, pool.options.concurrency) }

    /// Begins to bring a beacon.
    package func start(_ beacon: StoredBeacon, attempt: Int64) -> CarrierStart {
        let credential = beacon.content.credential
        if !credential.isEmpty, secrets[credential] == nil {
            return .waits(
                key: "credential/\(credential)",
                "beacons for \(beacon.destination) wait: there is no credential \"\(credential)\"; configure it under "
                    + "\"credentials\""
            )
        }
        let request = Request(
            beacon.content,
            attempt: attempt,
            secret: secrets[credential],
            idempotencyHeader: pool.options.idempotencyHeader,
            now: SystemClock.wall()
        )
        guard let request else { return .malformed("its address, its method or a header is none of HTTP's") }
        return pool.start(request, of: beacon) ? .started : .busy
    }

    /// Goes on with what is under way.
    package func perform(_ ended: (StoredBeacon, CarrierOutcome) -> Void) {
        pool.perform { beacon, outcome in
            if case .delivered(let body) = outcome, answers.bytes > 0 { answers.read(beacon, body) }
            let meaning = meaning(of: outcome, beacon.destination)
            if case .refused(_, let status) = meaning { answers.refused(beacon, status) }
            ended(beacon, meaning)
        }
    }

    /// Waits until something can go on.
    package func wait(milliseconds: Int64) { pool.wait(milliseconds: milliseconds) }

    /// Ends a wait; from any thread.
    package func wake() { pool.wake() }

    /// What an outcome means for a beacon.
    private func meaning(of outcome: TransferOutcome, _ destination: String) -> CarrierOutcome {
        switch outcome {
        case .delivered: return .delivered
        case .failure(.malformed, let text): return .malformed(text)
        case .status(let status, let retryAfter):
            guard answers.mayRetry(status) else { return .refused("status \(status)", status: status) }
            let wait = retryAfter.map { ", which asks to wait \($0 / 1_000) s" } ?? ""
            var failure = CarrierFailure("status \(status)\(wait)")
            (failure.status, failure.retryAfter) = (status, retryAfter)
            return .failed(failure)
        case .failure(let kind, let text):
            var failure = CarrierFailure(text)
            failure.wasSent = outcome.wasSent
            failure.isOffline = kind == .unreachable
            if kind == .untrusted {
                failure.warning =
                    "nothing is sent to \(destination), whose certificate is not trusted (\(text)): check the address; "
                    + "for an authority of your own name its certificate in \"authority\""
            }
            return .failed(failure)
        }
    }
}

extension TransferFailure {
    /// Whether the same request may do better another time than with this status: RFC 9110's temporary states.
    package static func mayRetry(status: Int) -> Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505: false
        default: status >= 500
        }
    }
}
