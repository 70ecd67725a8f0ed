package import LoopbackServer
internal import System
package import TextEncoding

/// New Relic's Event API as a strict service: it takes what the documented limits allow, and notes what breaks them.
package final class EventAPI: Sendable {
    /// What came in.
    package struct Taken: Sendable {
        /// The events of all requests, in the order in which these came.
        package var events: [JSONValue] = []
        /// Requests that were taken.
        package var requests = 0
        /// Those of them whose body was compressed.
        package var compressed = 0
        /// Bytes of their bodies as they came.
        package var bytes = 0
        /// What breaks a documented limit without the request being refused.
        package var complaints: [String] = []
        /// Requests that were refused, by their status.
        package var refused: [Int] = []
    }

    private let account: Int64
    private let key: String
    private let now: Int64
    private let taken = Lock(Taken())

    /// A service for one account; `now` is its clock, ms since 1970.
    package init(account: Int64, key: String, now: Int64) {
        self.account = account
        self.key = key
        self.now = now
    }

    /// What came in so far.
    package var contents: Taken { taken.with { $0 } }

    /// Answers a request as the service does.
    package func answer(_ request: RecordedRequest) -> PostAnswer {
        guard let status = refusal(of: request) else {
            return PostAnswer(status: 200, body: #"{"success":true,"uuid":"00000000-0000-0000-0000-000000000000"}"#)
        }
        taken.with { $0.refused.append(status) }
        return PostAnswer(status: status)
    }

    /// Takes a request; the status when it is refused.
    private func refusal(of request: RecordedRequest) -> Int? {
        guard request.path == "/v1/accounts/\(account)/events" else { return 404 }
        guard request.header("api-key") == key else { return 403 }
        guard request.header("content-type") == "application/json" else { return 415 }
        guard request.body.count <= Self.requestBytes else { return 413 }
        let body: [UInt8]
        switch request.header("content-encoding") {
        case nil: body = request.body
        case "gzip":
            guard let whole = GzipBody.uncompressed(request.body, limit: Self.requestBytes) else { return 400 }
            body = whole
        default: return 415
        }
        guard body.count <= Self.requestBytes else { return 413 }
        guard let text = String(validating: body, as: UTF8.self), let events = (try? JSONParser().parse(text))?.array,
            !events.isEmpty, events.count <= 2000
        else { return 400 }
        let complaints = events.flatMap(complaints)
        taken.with { taken in
            taken.requests += 1
            taken.compressed += request.header("content-encoding") == "gzip" ? 1 : 0
            taken.bytes += request.body.count
            taken.events += events
            taken.complaints += complaints
        }
        return nil
    }

    /// Bytes of a body, compressed or not.
    private static let requestBytes = 1_000_000

    private func complaints(_ event: JSONValue) -> [String] {
        guard let members = event.object else { return ["an event is \(event.kind)"] }
        var complaints: [String] = []
        if !Self.isEventType(event["eventType"]?.string) { complaints.append("eventType") }
        if let time = event["timestamp"]?.int, abs(now - time) > 86_400_000 { complaints.append("timestamp \(time)") }
        if members.count > 255 { complaints.append("\(members.count) attributes") }
        for member in members {
            if member.key.unicodeScalars.count > 255 { complaints.append("name \(member.key)") }
            if member.key == "accountId" || member.key.hasPrefix("entity.") { complaints.append(member.key) }
            switch member.value {
            case .string(let text):
                if text.unicodeScalars.count > 4096 { complaints.append("value of \(member.key)") }
                if member.key == "appId" { complaints.append("appId") }
            case .int, .double: break
            default: complaints.append("\(member.key) is \(member.value.kind)")
            }
        }
        return complaints
    }

    private static func isEventType(_ type: String?) -> Bool {
        guard let type, (1...255).contains(type.utf8.count) else { return false }
        return type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_: ".contains($0)) }
    }
}
