import PlayerReports

// See Tests/Fuzz/run.

/// Takes bytes from the fuzzer as reports, one a line, and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCMCD(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 0 else { return 0 }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    if let dictionary = try? StructuredParser.dictionary(bytes) {
        let keys = dictionary.members.map(\.key)
        if Set(keys).count != keys.count { fatalError("a key stands twice") }
        _ = try? CMCDRecord(dictionary, as: .request)
    }
    _ = try? CMCDRequest(target: "?\(text)", headers: [("cmcd-session", text)])
    guard let records = try? CMCDBody.records(in: bytes) else { return 0 }
    for holdBack in [nil, 0, 5_000_000] as [Int64?] {
        let calls = play(records, holdBack)
        if calls != play(records, holdBack) { fatalError("the same reports make other calls") }
    }
    readLogs(records)
    return 0
}

/// The calls of reports that come 2 s after each other.
private func play(_ records: [String], _ holdBack: Int64?) -> [TrackedCall] {
    var options = CMCDOptions()
    options.patience.holdBack = holdBack
    options.estimatesPlayhead = true
    options.keepsAllKeys = true
    var run = CMCDInterpretation(options)
    var calls: [TrackedCall] = []
    var now: Int64 = 1_790_000_000_000_000
    for record in records {
        let known = run.knownUntil
        let before = calls.count
        _ = run.receive(record, at: now, into: &calls)
        check(calls[before...], after: known, before: run)
        now += 2_000_000
    }
    while let due = run.nextDue {
        let known = run.knownUntil
        let before = calls.count
        run.advance(to: due, into: &calls)
        check(calls[before...], after: known, before: run)
    }
    if !run.isOver, !calls.isEmpty { fatalError("it never ends") }
    return calls
}

/// Takes lines as those of access logs, and as what logged requests say.
private func readLogs(_ lines: [String]) {
    var logs = [AccessLog.nginx(), .cloudFront(), .dataStream()]
    var run = CMCDRequestRun()
    var calls: [TrackedCall] = []
    var now: Int64 = 1_790_000_000_000_000
    for line in lines {
        for place in logs.indices {
            guard case .request(let request) = logs[place].read(line) else { continue }
            if LoggedRequest(text: request.text) != request { fatalError("a request is not read again as it was") }
            _ = run.receive(request.text, at: now, into: &calls)
        }
        var request = LoggedRequest(time: now, moment: .unknown, target: "/?\(line)")
        _ = run.receive(request.text, at: now, into: &calls)
        request.headers = [LoggedRequest.Header("CMCD-Object", line)]
        _ = run.receive(request.text, at: now, into: &calls)
        now += 1_000_000
    }
    while let due = run.nextDue { run.advance(to: due, into: &calls) }
    for (call, next) in zip(calls, calls.dropFirst()) where next.time < call.time { fatalError("time goes back") }
}

/// Holds calls to what they promise: none before what was known, or before one that was made.
private func check(_ calls: ArraySlice<TrackedCall>, after known: Int64, before run: CMCDInterpretation) {
    var last = known
    for call in calls {
        if call.time < last { fatalError("a call at \(call.time), behind \(last)") }
        last = call.time
    }
    if run.knownUntil < last { fatalError("known until \(run.knownUntil), and a call at \(last)") }
}
