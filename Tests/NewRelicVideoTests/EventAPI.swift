import LoopbackServer
import PluginKit
import Synchronization

/// New Relic's Event API as a strict service: it takes what the documented limits allow, and notes what breaks them.
final class EventAPI: Sendable {
    /// What came in.
    struct Taken: Sendable {
        var events: [JSONValue] = []
        var requests = 0
        var complaints: [String] = []
    }

    private let account: Int64
    private let key: String
    private let now: Int64
    private let taken = Mutex(Taken())

    /// A service for one account; `now` is its clock, ms since 1970.
    init(account: Int64, key: String, now: Int64) {
        self.account = account
        self.key = key
        self.now = now
    }

    var contents: Taken { taken.withLock { $0 } }

    func answer(_ request: RecordedRequest) -> PostAnswer {
        guard request.path == "/v1/accounts/\(account)/events" else { return PostAnswer(status: 404) }
        guard request.header("api-key") == key else { return PostAnswer(status: 403) }
        guard request.header("content-type") == "application/json" else { return PostAnswer(status: 415) }
        guard request.body.count <= 1_000_000 else { return PostAnswer(status: 413) }
        guard let events = (try? JSONParser().parse(request.text))?.array, !events.isEmpty, events.count <= 2000 else {
            return PostAnswer(status: 400)
        }
        let complaints = events.flatMap(complaints)
        taken.withLock { taken in
            taken.requests += 1
            taken.events += events
            taken.complaints += complaints
        }
        return PostAnswer(status: 200, body: #"{"success":true,"uuid":"00000000-0000-0000-0000-000000000000"}"#)
    }

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
