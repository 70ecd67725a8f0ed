internal import EventModel

/// What happened: the values of `e`, but for ads and states.
extension CMCDCourse {
    /// Makes the call of a report's event.
    mutating func playEvent(_ report: HeldReport, _ queue: inout ReportQueue) {
        let record = report.record
        switch record.event {
        case .interval:
            tellPlayhead()
            emit(.qualitySample)
        case .rate: tellPlayhead()
        case .bitrateChange: tellRendition(record)
        case .background: enterBackground(record.truth(.bg) == true)
        case .custom: tellCustom(record)
        case .error:
            if !report.isAbsorbed, !current.isErrorTold { tellLoneError(record, &queue) }
        case .enlarged: emitCustom("cmcd_player_enlarged")
        case .reduced: emitCustom("cmcd_player_reduced")
        case .response: tellRequest(record)
        case .adBreakStart, .adBreakEnd, .adStart, .adEnd, .adSkipped: playAdEvent(record)
        case .content:
            if ads.isAnyOpen, let id = record.string(.cid) { ads.expect(id) }
        case .playState, .host, .muted, .unmuted, nil: break
        }
    }

    private mutating func tellPlayhead() {
        if current.state.playhead != nil || current.state.liveWall != nil { emit(.playheadSample) }
    }

    private mutating func tellRendition(_ record: CMCDRecord) {
        var attributes = [TrackedCall.Attribute("rendition_phase", .string("decided"))]
        if let bitrate = record.bitrate(.br) {
            attributes.append(TrackedCall.Attribute("rendition_bitrate_bps", .int(bitrate)))
        }
        emit(.renditionChange, attributes)
    }

    mutating func enterBackground(_ isEntered: Bool) {
        guard isInBackground != isEntered else { return }
        isInBackground = isEntered
        emit(isEntered ? .applicationBackground : .applicationForeground)
    }

    private mutating func tellCustom(_ record: CMCDRecord) {
        emit(.custom, record.string(.cen).map { [TrackedCall.Attribute("custom_name", .string($0))] } ?? [])
    }

    private mutating func tellLoneError(_ record: CMCDRecord, _ queue: inout ReportQueue) {
        let failure = queue.next(within: Self.together) { held in
            held.record.event == .playState && held.record.state == .failed && reporter(of: held.record) == .content
        }
        // One that failed already, and says now why, is not heard of in time: it has no code of its own.
        if failure != nil { session?.hasFailed = true }
        let isLight = mayFailLightly(record.errorCodes)
        tellError(record.errorCodes, isFatal: isLight ? nil : failure != nil)
    }

    mutating func tellError(_ codes: [String], isFatal: Bool?, as type: EventType = .playerError) {
        var attributes: [TrackedCall.Attribute] = []
        if let first = codes.first {
            attributes.append(TrackedCall.Attribute("error_id", .string(first)))
            attributes.append(TrackedCall.Attribute("error_message", .string(codes.joined(separator: ", "))))
            if first.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let code = Int64(first) {
                attributes.append(TrackedCall.Attribute("error_code", .int(code)))
            }
        }
        if let isFatal { attributes.append(TrackedCall.Attribute("error_fatal", .bool(isFatal))) }
        emit(type, attributes)
    }

    /// Makes the call of an answer, or of a request without one.
    mutating func tellRequest(_ record: CMCDRecord) {
        let status = record.integer(.rc)
        var attributes: [TrackedCall.Attribute] = []
        func add(_ name: String, _ value: PlainValue?) {
            if let value { attributes.append(TrackedCall.Attribute(name, value)) }
        }
        let url = record.string(.url).map(RequestedAddress.init)
        add("request_url", (url?.text).map(PlainValue.string))
        add("request_host", url?.host.map(PlainValue.string))
        add("request_type", RequestedAddress.type(of: record).map(PlainValue.string))
        add("request_status", status.map(PlainValue.int))
        add("request_duration_ms", record.integer(.ttlb).map(PlainValue.int))
        add("request_first_byte_ms", record.integer(.ttfb).map(PlainValue.int))
        add("request_media_duration_ms", record.integer(.d).map(PlainValue.int))
        add("request_bitrate_bps", record.bitrate(.br).map(PlainValue.int))
        let isAnswered = status.map { (200..<400).contains($0) } ?? true
        emit(isAnswered ? .requestCompleted : .requestFailed, attributes)
    }
}
