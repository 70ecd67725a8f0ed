internal import EventModel

/// What the requests of one session id have said so far.
struct CMCDRequestCourse {
    private var session: CMCDSession?
    /// The contents that were asked for: a late request for one before brings it not back.
    private var contents: Set<String> = []
    /// The bitrate that was asked for last, by object type.
    private var bitrates: [String: Int64] = [:]
    /// How many requests said that playback had stood still since the one before.
    private var starvations: Int64 = 0

    /// The calls of a request.
    mutating func play(_ request: LoggedRequest, _ record: CMCDRecord, at time: Int64) -> [TrackedCall] {
        var state = ReportedState()
        var calls: [TrackedCall] = []
        let content = record.string(.cid)
        let isNew = content.map { contents.insert($0).inserted } ?? false
        if let session, isNew, session.content != nil {
            calls.append(TrackedCall(.videoUnload, at: time))
            self.session = nil
            bitrates = [:]
        }
        let before = session
        var now = session ?? CMCDSession(droppedBefore: 0)
        // A request for another content than the one that plays says nothing of this one.
        let isOther = content != nil && now.content != nil && content != now.content
        let isLearned = !isOther && now.learn(record, CMCDOptions())
        if !isOther { now.read(record, into: &state) }
        session = now
        state.throughput = record.throughput
        // What is asked for is not what is shown.
        state.bitrate = record.bitrate(.pb)
        if before == nil {
            let mark = TrackedCall.Attribute("cmcd_request_mode", .bool(true))
            calls.append(TrackedCall(.videoLoad, at: time, state: state, attributes: now.videoAttributes + [mark]))
        } else if isLearned {
            calls.append(TrackedCall(.metadataChange, at: time, state: state, attributes: now.videoAttributes))
        }
        if let change = rendition(record, at: time) { calls.append(change) }
        calls.append(answer(request, record, at: time, state))
        if let sample = sample(record, at: time, state) { calls.append(sample) }
        return calls
    }

    /// The end of the session, where its last request was; nil when none goes on.
    mutating func end(at time: Int64) -> TrackedCall? {
        guard session != nil else { return nil }
        session = nil
        return TrackedCall(.videoUnload, at: time, attributes: [TrackedCall.Attribute("ended_by", .string("timeout"))])
    }

    /// The call for another bitrate of one type: requests for video and audio alternate, and are not mixed.
    private mutating func rendition(_ record: CMCDRecord, at time: Int64) -> TrackedCall? {
        guard let type = record.token(.ot), ["v", "a", "av"].contains(type) else { return nil }
        let items = record.integers(.br)
        guard let rate = (items.first { $0.type == type } ?? items.first)?.number, rate < 1 << 40 else { return nil }
        let before = bitrates.updateValue(rate, forKey: type)
        guard let before, before != rate else { return nil }
        var call = TrackedCall(.renditionChange, at: time)
        call.set("rendition_phase", .string("decided"))
        call.set("rendition_bitrate_bps", .int(rate * 1000))
        call.set("cmcd_ot", .string(type))
        return call
    }

    private func answer(
        _ request: LoggedRequest,
        _ record: CMCDRecord,
        at time: Int64,
        _ state: ReportedState
    ) -> TrackedCall {
        let isAnswered = request.status.map { (200..<400).contains($0) } ?? true
        var call = TrackedCall(isAnswered ? .requestCompleted : .requestFailed, at: time, state: state)
        let address = RequestedAddress(request.target)
        call.set("request_url", .string(address.text))
        call.set("request_host", (request.host ?? address.host).map(PlainValue.string))
        call.set("request_type", RequestedAddress.type(of: record).map(PlainValue.string))
        call.set("request_status", request.status.map(PlainValue.int))
        call.set("request_bytes", request.bytes.map(PlainValue.int))
        call.set("request_duration_ms", request.duration.map(PlainValue.int))
        call.set("request_first_byte_ms", request.firstByte.map(PlainValue.int))
        call.set("request_media_duration_ms", record.integer(.d).map(PlainValue.int))
        call.set("request_bitrate_bps", record.bitrate(.br).map(PlainValue.int))
        return call
    }

    private mutating func sample(_ record: CMCDRecord, at time: Int64, _ state: ReportedState) -> TrackedCall? {
        if record.truth(.bs) == true { starvations += 1 }
        let figures: [CMCDKey] = [.mtp, .bl, .rtp, .bs, .msd, .bsd, .bsa]
        guard figures.contains(where: { record[$0] != nil }) else { return nil }
        var call = TrackedCall(.qualitySample, at: time, state: state)
        call.set("buffer_length_ms", record.bufferLength.map(PlainValue.int))
        call.set("startup_time_ms", record.integer(.msd).map(PlainValue.int))
        call.set("cmcd_rtp", record.integer(.rtp).map(PlainValue.int))
        call.set("cmcd_starvations", starvations > 0 ? .int(starvations) : nil)
        call.attributes += record.ownAttributes(all: false)
        return call
    }
}
