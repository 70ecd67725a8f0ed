internal import CollectedRuns
internal import CollectorServer
internal import Journal
internal import PlayerReports
internal import System

// Events of CMCD version 2, as hls.js, Shaka and dash.js send them.
extension Reception {
    func receiveCMCD(of name: String, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        let records: [String]
        if request.method == "GET" {
            guard let payload = request.parameter("CMCD") else {
                return send(
                    .problem(405, "events are posted; a GET has one in its argument CMCD"),
                    to: exchange,
                    nil,
                    request
                )
            }
            records = [payload]
        } else {
            guard CMCDBody.isNamed(by: request.header("Content-Type") ?? "") else {
                return send(
                    .problem(415, "events of CMCD have the media type application/cmcd, and are no JSON"),
                    to: exchange,
                    nil,
                    request
                )
            }
            do throws(CMCDBody.Refusal) {
                records = try CMCDBody.records(in: request.body)
            } catch {
                let reasons: [CMCDBody.Refusal: String] = [
                    .tooLong: "the body is too long", .notUTF8: "the body is no UTF-8",
                    .empty: "the body has no record",
                ]
                return send(
                    .problem(error == .tooLong ? 413 : 400, reasons[error] ?? error.rawValue),
                    to: exchange,
                    nil,
                    request
                )
            }
        }
        guard let tenant = admit(request, exchange, named: name) else { return }
        let optsOut = request.header("Sec-GPC") == "1" && tenant.optOut != .ignore
        // The same answer whether they are kept or not.
        if optsOut, tenant.optOut == .drop { return send(HTTPAnswer(204), to: exchange, tenant, request) }
        let now = SystemTime.wall()
        let generation = journal.generation
        var reports: [ReceivedReports] = []
        var begun: [RunKey] = []
        // What goes on is taken beside a session for which there is no room; by their numbers, records that come again
        // with it are left out.
        var answer = HTTPAnswer(204)
        for (session, lines) in sessions(records, tenant, request) {
            let key = RunKey(tenant: tenant.name, form: .cmcd, name: session)
            switch pool.intake.admit(key, limit: tenant.openRuns, now: now) {
            case .open: break
            case .begun: begun.append(key)
            case .full:
                answer = Self.full(tenant)
                continue
            }
            var received = ReceivedReports(key, received: now, text: Array(lines.utf8))
            received.optsOut = optsOut
            reports.append(received)
        }
        keep(reports, generation, request.header("Origin"), tenant, exchange) { [answer] in
            answer
        } failed: { [pool, begun] in
            for key in begun { pool.intake.withdraw(key) }
        }
    }

    /// The records of each session, in the order in which sessions come; a record that cannot be read is counted, and
    /// harms no other.
    private func sessions(_ records: [String], _ tenant: Tenant, _ request: HTTPRequest) -> [(String, String)] {
        var order: [String] = []
        var lines: [String: String] = [:]
        for text in records {
            let record: CMCDRecord
            do throws(CMCDRecord.Refusal) {
                record = try CMCDRecord(text, as: .event)
            } catch {
                counts.with { $0.refusedRecords[error.rawValue, default: 0] += 1 }
                continue
            }
            // Without a session its address stands for one, as a digest of this process.
            let session = record.string(.sid) ?? "no-sid-" + limit.digest(of: address(of: request))
            guard !session.isEmpty else { continue }
            if lines[session] == nil { order.append(session) }
            lines[session, default: ""] += text + "\n"
        }
        return order.compactMap { session in lines[session].map { (session, $0) } }
    }
}
