internal import Archive
internal import CollectedRuns
internal import CollectorServer
internal import HostSupport
internal import Journal
internal import System
internal import TextEncoding

/// What becomes of requests: who they are of, what is in them, and when it is safe.
///
/// On the server's threads; answers come on the journal's.
final class Reception: HTTPHandler {
    /// What was taken and refused.
    struct Counts: Sendable {
        var requests: [String: UInt64] = [:]
        var answers: [UInt32: UInt64] = [:]
        var bytes: UInt64 = 0
        var lines: UInt64 = 0
        var refusedLines: UInt64 = 0
        var leftOutLines: UInt64 = 0
        var repeated: UInt64 = 0
        var refusedRecords: [String: UInt64] = [:]
        var unsafeAnswers: UInt64 = 0
    }

    let tenants: Tenants
    let pool: RunPool
    let journal: Journal
    let counts = Lock(Counts())
    let metrics: @Sendable () -> String
    let unknownWords: UnknownWords
    private let decoders = Lock<[ArchiveLineDecoder]>([])
    let limit = RateLimit()
    /// As long as the event sink of Open Analytics waits for its queue.
    let overdue = OverdueAnswers(after: 3_000_000)
    private let addressLimit: Double
    private let isBehindProxy: Bool

    init(
        _ tenants: Tenants,
        _ pool: RunPool,
        _ journal: Journal,
        addressLimit: Double,
        isBehindProxy: Bool,
        unknownWords: UnknownWords,
        metrics: @escaping @Sendable () -> String
    ) {
        self.unknownWords = unknownWords
        self.tenants = tenants
        self.pool = pool
        self.journal = journal
        self.addressLimit = addressLimit
        self.isBehindProxy = isBehindProxy
        self.metrics = metrics
    }

    /// Ends what answers in the place of others, once all that came is answered.
    func end() { overdue.end() }

    func tooLong(limit: Int) -> HTTPAnswer {
        .problem(413, "the body is longer than \(limit) bytes")
    }

    func noRoom() -> HTTPAnswer {
        counts.with { $0.answers[503, default: 0] += 1 }
        return Self.busy
    }

    func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let route = parts.first ?? ""
        counts.with { counts in
            counts.requests[Self.routes.contains(route) ? route : "other", default: 0] += 1
            counts.bytes += UInt64(request.body.count)
        }
        switch (request.method, route, parts.count) {
        case ("GET", "healthz", 1), ("HEAD", "healthz", 1): send(health, to: exchange, nil, request)
        case ("GET", "metrics", 1):
            send(HTTPAnswer(200, metrics(), type: "text/plain; version=0.0.4"), to: exchange, nil, request)
        case ("GET", "tally.js", 1), ("GET", "tally.mjs", 1), ("HEAD", "tally.js", 1), ("HEAD", "tally.mjs", 1):
            send(route == "tally.js" ? PageScript.classic : PageScript.module, to: exchange, nil, request)
        case ("GET", "health", 1), ("HEAD", "health", 1): send(health, to: exchange, nil, request)
        case ("OPTIONS", "", 1): answerOpenAnalyticsPreflight(request, exchange)
        case ("POST", "", 1): receiveOpenAnalytics(request, exchange)
        case (_, "", 1), (_, "health", 1):
            send(.problem(405, "\(request.method) is not for this path"), to: exchange, nil, request)
        case ("OPTIONS", _, _): send(preflight(request), to: exchange, nil, request)
        case ("POST", "runs", 2): receiveCalls(of: parts[1], request, exchange)
        case ("POST", "cmcd", 2), ("GET", "cmcd", 2): receiveCMCD(of: parts[1], request, exchange)
        case (_, "runs", 2), (_, "cmcd", 2), (_, "healthz", 1), (_, "metrics", 1), (_, "tally.js", 1),
            (_, "tally.mjs", 1):
            send(.problem(405, "\(request.method) is not for this path"), to: exchange, nil, request)
        default:
            send(
                .problem(
                    404,
                    "there is nothing here: track calls go to /runs/RUN, CMCD to /cmcd/TENANT, Open Analytics to /"
                ),
                to: exchange,
                nil,
                request
            )
        }
    }

    private static let routes: Set<String> = [
        "runs", "cmcd", "health", "healthz", "metrics", "tally.js", "tally.mjs", "",
    ]

    /// Sends an answer, with what lets a page of a tenant's origin read it.
    func send(_ answer: HTTPAnswer, to exchange: HTTPExchange, _ tenant: Tenant?, _ request: HTTPRequest) {
        send(answer, to: exchange, origin: request.header("Origin"), tenant)
    }

    func send(_ answer: HTTPAnswer, to exchange: HTTPExchange, origin: String?, _ tenant: Tenant?) {
        // One that was overdue was answered already.
        guard !exchange.isAnswered else { return }
        counts.with { $0.answers[answer.status, default: 0] += 1 }
        exchange.send(answer.allowing(origin, of: tenant))
    }

    // MARK: - Who it is of

    /// The tenant of a request, and whether the viewer wants no tracking; nil when it was refused, which was answered.
    func admit(
        _ request: HTTPRequest,
        _ exchange: HTTPExchange,
        named name: String? = nil
    ) -> Tenant? {
        admit(tenant(of: request, named: name), request, exchange)
    }

    /// The tenant that a request's key is of, or that of this name when the key is its.
    func tenant(of request: HTTPRequest, named name: String? = nil) -> Tenant? {
        let scheme = "bearer "
        let bearer = request.header("Authorization").flatMap {
            $0.lowercased().hasPrefix(scheme) ? String($0.dropFirst(scheme.count)) : nil
        }
        // A client without a key may well write an empty one.
        let key = (request.parameter("key") ?? bearer).flatMap { $0.isEmpty ? nil : $0 }
        return name.map { tenants.tenant(named: $0, key: key) } ?? tenants.tenant(key: key)
    }

    /// The tenant that was found for a request, unless it is refused, which is answered.
    ///
    /// `busy` says that nothing can be taken at the moment.
    func admit(
        _ found: Tenant?,
        _ request: HTTPRequest,
        _ exchange: HTTPExchange,
        busy: HTTPAnswer = busy
    ) -> Tenant? {
        guard let tenant = found else {
            send(
                .problem(401, "the key is missing or unknown: send it as ?key=KEY or Authorization: Bearer KEY"),
                to: exchange,
                nil,
                request
            )
            return nil
        }
        if let origin = request.header("Origin"), !tenant.takes(origin) {
            send(
                .problem(
                    403,
                    "pages of \(PrintableText.escaped(origin, longest: 100)) may not report for \(tenant.name)"
                ),
                to: exchange,
                nil,
                request
            )
            return nil
        }
        let now = SystemTime.monotonic()
        guard limit.admit(tenant.name, limit: tenant.requestsPerSecond, now: now),
            addressLimit == 0 || limit.admit(limit.digest(of: address(of: request)), limit: addressLimit, now: now)
        else {
            send(
                .problem(429, "too many requests: send larger batches, or later").retrying(after: 10),
                to: exchange,
                tenant,
                request
            )
            return nil
        }
        guard pool.backlog.hasRoom(for: tenant.name), journal.statistics.problem == nil || mayTryAgain else {
            send(busy, to: exchange, tenant, request)
            return nil
        }
        return tenant
    }

    /// A journal that failed is tried again with one request now and then.
    private var mayTryAgain: Bool { Int.random(in: 0..<20) == 0 }

    static let busy = HTTPAnswer.problem(503, "nothing can be taken at the moment; what was acknowledged is safe")
        .retrying(after: 2)

    /// The answer to what would begin one run too many.
    static func full(_ tenant: Tenant) -> HTTPAnswer {
        .problem(429, "\(tenant.name) has \(tenant.openRuns) open runs, which is its limit").retrying(after: 30)
    }

    func address(of request: HTTPRequest) -> [UInt8] {
        guard isBehindProxy, let forwarded = request.header("X-Forwarded-For"),
            let last = forwarded.split(separator: ",").last
        else { return request.peer }
        return Array(last.utf8)
    }

    private var health: HTTPAnswer {
        if let problem = journal.statistics.problem {
            return HTTPAnswer(503, JSONValue.object(["status": "failing", "reason": .string(problem)]).canonicalText)
        }
        if pool.backlog.isFull { return HTTPAnswer(503, "{\"status\":\"busy\"}") }
        return HTTPAnswer(200, "{\"status\":\"ok\"}")
    }

    private func preflight(_ request: HTTPRequest) -> HTTPAnswer {
        // Without authorization: a browser sends no key with it. Whether the origin may is said with the report.
        HTTPAnswer(204).with("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
            .with(
                "Access-Control-Allow-Headers",
                "Content-Type, Content-Encoding, Authorization, Origin, X-EPAS-Event, X-EPAS-Version, CMCD-Object, "
                    + "CMCD-Request, CMCD-Session, CMCD-Status"
            )
            .with("Access-Control-Max-Age", "7200")
    }

    // MARK: - Tally's own form

    private func receiveCalls(of run: String, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard let tenant = admit(request, exchange) else { return }
        guard Tenant.isName(run) else {
            return send(
                .problem(400, "a run's name has up to 64 letters, digits, dots, dashes and underscores"),
                to: exchange,
                tenant,
                request
            )
        }
        guard Self.isText(request.header("Content-Type")) else {
            return send(
                .problem(415, "a batch is text: send it as text/plain, application/json or without a Content-Type"),
                to: exchange,
                tenant,
                request
            )
        }
        let batch: NativeBatch
        do throws(NativeBatch.Problem) {
            batch = try read(request.body, of: run)
        } catch {
            return send(.problem(400, error.description), to: exchange, tenant, request)
        }
        let optsOut = request.header("Sec-GPC") == "1" && tenant.optOut != .ignore
        if optsOut, tenant.optOut == .drop {
            return send(batch.answer(safe: batch.last), to: exchange, tenant, request)
        }
        let key = RunKey(tenant: tenant.name, form: .native, name: run)
        let now = SystemTime.wall()
        let generation = journal.generation
        let admission = pool.intake.admit(
            key,
            first: batch.first,
            last: batch.last,
            lost: batch.lost,
            limit: tenant.openRuns,
            now: now
        )
        let origin = request.header("Origin")
        switch admission {
        case .missing(let safe): return send(batch.answer(safe: safe), to: exchange, tenant, request)
        case .over(let safe):
            return send(batch.answer(safe: safe, isOver: true), to: exchange, tenant, request)
        case .unknown(let missing): return send(Self.unknown(missing), to: exchange, tenant, request)
        case .full: return send(Self.full(tenant), to: exchange, tenant, request)
        case .beyond(let before):
            let lines = unsafe request.body.withUnsafeBytes { unsafe batch.lines(beyond: before, of: $0) }
            counts.with { counts in
                counts.lines += UInt64(batch.count(beyond: before))
                counts.refusedLines += UInt64(batch.refused)
                counts.leftOutLines += batch.leftOut(beyond: before)
                if batch.last <= before, batch.last > 0 { counts.repeated += 1 }
            }
            if batch.last > before { unknownWords.count(batch.unknownWords, of: tenant.name) }
            var reports = ReceivedReports(key, received: now, text: lines)
            reports.optsOut = optsOut
            reports.sent = batch.sent
            reports.last = max(batch.last, batch.lost)
            // Also a batch without lines says up to when all is known; one whose lines came already waits for them.
            let isNew = batch.last > before || batch.last == 0
            let last = reports.last
            keep(isNew ? [reports] : [], generation, origin, tenant, exchange) { [pool] in
                batch.answer(safe: pool.intake.confirm(key, upTo: isNew ? last : 0))
            } failed: { [pool] in
                if isNew { pool.intake.withdraw(key) }
            }
        }
    }

    /// Makes reports safe, hands them to their runs, and answers then.
    func keep(
        _ reports: [ReceivedReports],
        _ generation: UInt64,
        _ origin: String?,
        _ tenant: Tenant,
        _ exchange: HTTPExchange,
        busy: HTTPAnswer = busy,
        safe: @escaping @Sendable () -> HTTPAnswer,
        failed: @escaping @Sendable () -> Void
    ) {
        for reports in reports { pool.backlog.add(reports) }
        let isAppended = journal.append(reports.map(\.bytes), generation: generation) { [self] outcome in
            switch outcome {
            case .success(let range):
                for (reports, entry) in zip(reports, range) { pool.accept(reports, entry: entry) }
                send(safe(), to: exchange, origin: origin, tenant)
            case .failure:
                for reports in reports { pool.backlog.remove(reports) }
                failed()
                counts.with { $0.unsafeAnswers += 1 }
                send(busy, to: exchange, origin: origin, tenant)
            }
        }
        guard !isAppended else { return }
        for reports in reports { pool.backlog.remove(reports) }
        failed()
        send(busy, to: exchange, origin: origin, tenant)
    }

    /// Whether a body may be text: clients name many types, or none.
    private static func isText(_ type: String?) -> Bool {
        guard let type, !type.isEmpty else { return true }
        return ["text/", "application/"].contains { type.lowercased().hasPrefix($0) }
    }

    /// The answer to what follows lines of a run that nobody knows.
    private static func unknown(_ missing: UInt64) -> HTTPAnswer {
        let reason =
            "no run of this name is known here, and it begins with n 1: send from there, say \"lost\":\(missing) beside "
            + "sent_us where the lines before are gone, or begin another run"
        let members: JSONObject = ["error": .string(reason), "safe": 0, "unknown": true]
        return HTTPAnswer(410, JSONValue.object(members).canonicalText)
    }

    private func read(_ body: [UInt8], of run: String) throws(NativeBatch.Problem) -> NativeBatch {
        let decoder = decoders.with { $0.popLast() } ?? ArchiveLineDecoder(knowingRun: true)
        defer { decoders.with { $0.append(decoder) } }
        let outcome: Result<NativeBatch, NativeBatch.Problem> = unsafe body.withUnsafeBytes { bytes in
            Result { () throws(NativeBatch.Problem) in unsafe try NativeBatch(bytes, of: run, decoder) }
        }
        return try outcome.get()
    }
}

extension NativeBatch {
    /// Up to where all is safe, and which lines were left out.
    func answer(safe: UInt64, isOver: Bool = false) -> HTTPAnswer {
        var members: JSONObject = ["safe": .int(Int64(clamping: safe))]
        if isOver { members["ended"] = true }
        let leftOut = leftOut(beyond: 0)
        if leftOut > 0 { members["left_out"] = .int(Int64(clamping: leftOut)) }
        if refused > 0 {
            members["refused"] = .int(Int64(refused))
            members["reasons"] = .array(
                refusals.map { ["line": .int(Int64($0.line)), "reason": .string($0.reason)] }
            )
        }
        return HTTPAnswer(isOver ? 410 : 200, JSONValue.object(members).canonicalText)
    }
}

extension HTTPAnswer {
    /// An answer that says what is wrong.
    static func problem(_ status: UInt32, _ reason: String) -> HTTPAnswer {
        HTTPAnswer(status, JSONValue.object(["error": .string(reason)]).canonicalText)
    }

    /// The answer with how long to wait, s.
    func retrying(after seconds: Int) -> HTTPAnswer { with("Retry-After", String(seconds)) }

    /// The answer with what lets a page of an origin read it.
    func allowing(_ origin: String?, of tenant: Tenant?) -> HTTPAnswer {
        guard let origin, tenant?.takes(origin) ?? true, origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return self
        }
        // A beacon sends what a page may send to this origin, so `*` is not enough.
        return with("Access-Control-Allow-Origin", origin).with("Access-Control-Allow-Credentials", "true")
            .with("Vary", "Origin").with("Access-Control-Expose-Headers", "Retry-After")
    }
}

extension Tenant {
    /// Whether pages of an origin may report for it.
    func takes(_ origin: String) -> Bool { origins.contains("*") || origins.contains(origin) }
}
