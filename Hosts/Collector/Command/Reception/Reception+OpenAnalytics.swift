internal import CollectedRuns
internal import CollectorServer
internal import Journal
internal import PlayerReports
internal import System
internal import TextEncoding

// Events of Open Analytics, one a request, answered as its event sink does: players' libraries read these answers.
extension Reception {
    func receiveOpenAnalytics(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        let notKept = OpenAnalyticsAnswer.notKept
        let found = openAnalyticsTenant(request)
        guard let tenant = admit(found, request, exchange, busy: notKept) else { return }
        guard let value = try? JSONParser().parse(request.body) else {
            let answer = OpenAnalyticsAnswer.refused("the body is no JSON: post one event", session: nil)
            return send(answer, to: exchange, tenant, request)
        }
        let event: OpenAnalyticsEvent
        do throws(OpenAnalyticsEvent.Refusal) {
            event = try OpenAnalyticsEvent(value, isStrict: tenant.isOpenAnalyticsStrict)
        } catch {
            let answer = OpenAnalyticsAnswer.refused(error.description, session: value["sessionId"]?.string)
            return send(answer, to: exchange, tenant, request)
        }
        guard event.session != nil || event.kind == .initialized else {
            let reason = "sessionId is missing: only init may be without one, whose answer gives it"
            return send(OpenAnalyticsAnswer.refused(reason, session: nil), to: exchange, tenant, request)
        }
        let session = event.session ?? Self.newSession()
        let taken = OpenAnalyticsAnswer.taken(event.kind, session: session, heartbeat: tenant.heartbeatInterval)
        let optsOut = request.header("Sec-GPC") == "1" && tenant.optOut != .ignore
        // The same answer whether it is kept or not.
        if optsOut, tenant.optOut == .drop { return send(taken, to: exchange, tenant, request) }
        var members = value.object ?? JSONObject()
        members["sessionId"] = .string(session)
        let key = RunKey(tenant: tenant.name, form: .openAnalytics, name: session)
        let text = JSONValue.object(members).canonicalText + "\n"
        let now = SystemTime.wall()
        let generation = journal.generation
        let opening = pool.intake.admit(key, limit: tenant.openRuns, now: now)
        guard opening != .full else { return send(Self.full(tenant), to: exchange, tenant, request) }
        var reports = ReceivedReports(key, received: now, text: Array(text.utf8))
        reports.optsOut = optsOut
        let origin = request.header("Origin")
        // It may become safe yet, and is kept then: an event that comes again says nothing new.
        overdue.expect { [self] in send(notKept, to: exchange, origin: origin, tenant) }
        keep([reports], generation, origin, tenant, exchange, busy: notKept) {
            taken
        } failed: { [pool] in
            if opening == .begun { pool.intake.withdraw(key) }
        }
    }

    /// Whose an event is: that of the key, or the tenant's that takes what names none.
    private func openAnalyticsTenant(_ request: HTTPRequest) -> Tenant? {
        let namesOne = request.parameter("key") != nil || request.header("Authorization") != nil
        if namesOne { return tenant(of: request) }
        return tenants.all.first(where: \.takesOpenAnalytics) ?? tenant(of: request)
    }

    /// What a browser asks before it posts an event.
    func answerOpenAnalyticsPreflight(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        let tenant = openAnalyticsTenant(request)
        var answer = HTTPAnswer(200)
            .with("Access-Control-Allow-Headers", "Content-Type, Origin, X-EPAS-Event, X-EPAS-Version")
            .with("Access-Control-Allow-Methods", "POST, OPTIONS")
            .with("Access-Control-Max-Age", "7200")
        // A page's own origin is sent back in its place, so that what it sends as it closes is taken too.
        if request.header("Origin") == nil, tenant?.takes("*") ?? true {
            answer = answer.with("Access-Control-Allow-Origin", "*")
        }
        send(answer, to: exchange, tenant, request)
    }

    /// A random UUID (RFC 9562, version 4).
    private static func newSession() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Hex.text(bytes)
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }
}

/// The answers of Open Analytics' event sink.
enum OpenAnalyticsAnswer {
    /// What could not be made safe: there is no queue that takes it.
    static let notKept = HTTPAnswer(
        502,
        JSONValue.object(["message": "nothing can be taken at the moment", "valid": false]).canonicalText
    )

    /// The answer to an event that is safe; `heartbeat` is the interval that players are asked for, ms.
    static func taken(_ kind: OpenAnalyticsEvent.Kind, session: String, heartbeat: Int64) -> HTTPAnswer {
        let members: JSONObject =
            kind == .initialized
            ? ["sessionId": .string(session), "heartbeatInterval": .int(heartbeat)]
            : ["sessionId": .string(session), "valid": true]
        return HTTPAnswer(200, JSONValue.object(members).canonicalText)
    }

    /// The answer to what is no event, with the session that it says it is of.
    static func refused(_ reason: String, session: String?) -> HTTPAnswer {
        let members: JSONObject = [
            "sessionId": session.map { .string($0) } ?? .int(-1), "message": .string(reason), "valid": false,
        ]
        return HTTPAnswer(400, JSONValue.object(members).canonicalText)
    }
}
