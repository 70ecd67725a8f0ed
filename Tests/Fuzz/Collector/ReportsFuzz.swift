import PlayerReports
import TextEncoding

/// Takes bytes as reports in CMCD, one a line, and as what says them in a request.
func fuzzCMCD(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let dictionary = try? StructuredParser.dictionary(bytes) {
        let keys = dictionary.members.map(\.key)
        if Set(keys).count != keys.count { fatalError("a key stands twice") }
        _ = try? CMCDRecord(dictionary, as: .request)
    }
    _ = try? CMCDRequest(target: "?\(text)", headers: [("cmcd-session", text)])
    guard let records = try? CMCDBody.records(in: bytes) else { return }
    var options = CMCDOptions()
    options.patience.holdBack = holdBack(bytes)
    options.estimatesPlayhead = true
    options.keepsAllKeys = true
    let made = calls(of: records, CMCDInterpretation(options))
    if made != calls(of: records, CMCDInterpretation(options)) {
        fatalError("the same reports make other calls")
    }
}

/// How long reports are waited for, by the last byte of an input: one way each, so that there are many inputs.
private func holdBack(_ bytes: [UInt8]) -> Int64? {
    switch bytes[bytes.count - 1] % 4 {
    case 0: nil
    case 1: 0
    default: 5_000_000
    }
}

/// Takes bytes as events of Open Analytics, one a line: each alone, and all as the course of one session.
func fuzzEvents(_ bytes: [UInt8]) {
    let reports = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    for report in reports {
        guard let value = try? JSONParser().parse(report), let event = try? OpenAnalyticsEvent(value) else { continue }
        // As the collector keeps it.
        guard (try? OpenAnalyticsEvent(value.canonicalText)) == event else {
            fatalError("an event is not read again as it was")
        }
    }
    var options = OpenAnalyticsOptions()
    options.patience.holdBack = holdBack(bytes)
    options.unit = bytes[0] % 4 == 0 ? .seconds : nil
    let made = calls(of: reports, OpenAnalyticsInterpretation(options))
    if made != calls(of: reports, OpenAnalyticsInterpretation(options)) {
        fatalError("the same events make other calls")
    }
}

/// Takes lines as those of an access log, of the form that the first line is for, and as what logged requests say.
func fuzzLog(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    guard let first = lines.first else { return }
    var log =
        switch bytes[0] {
        case UInt8(ascii: "{"): AccessLog.dataStream()
        case UInt8(ascii: "#"): bytes.count % 2 == 0 ? AccessLog.cloudFront() : .w3c(moment: .start)
        case UInt8(ascii: "$"): AccessLog.nginx(first)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): AccessLog.nginx()
        default: AccessLog.tabSeparated(moment: .end)
        }
    var reports: [String] = []
    for line in lines {
        if case .request(let request) = log.read(line) {
            if LoggedRequest(text: request.text) != request { fatalError("a request is not read again as it was") }
            _ = request.end
            reports.append(request.text)
            continue
        }
        var request = LoggedRequest(time: 1_790_000_000_000_000, moment: .unknown, target: "/?\(line)")
        reports.append(request.text)
        request.headers = [LoggedRequest.Header("CMCD-Object", line)]
        reports.append(request.text)
    }
    _ = calls(of: reports, CMCDRequestRun())
}
