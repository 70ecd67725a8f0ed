import CGStreamer

/// Translates messages of the bus into signals.
struct MessageReader {
    let pipeline: Pipeline

    /// The signal in a message; nil when it says nothing that matters here.
    func signal(in message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        switch unsafe message.pointee.type {
        case GST_MESSAGE_EOS: return .endOfStream(mediaEndMs: pipeline.tap.extent.endMs)
        case GST_MESSAGE_ERROR: return unsafe .error(Self.error(message))
        case GST_MESSAGE_BUFFERING: return unsafe buffering(message)
        case GST_MESSAGE_STATE_CHANGED: return unsafe state(message)
        case GST_MESSAGE_ELEMENT: return unsafe element(message)
        case GST_MESSAGE_QOS: return unsafe drop(message)
        case GST_MESSAGE_TOC: return unsafe chapters(message)
        case GST_MESSAGE_TAG: return unsafe tags(message)
        case GST_MESSAGE_DURATION_CHANGED: return .duration(ms: pipeline.durationMs)
        default: return nil
        }
    }

    func isFromPipeline(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
        unsafe source(message) == pipeline.elementID
    }

    /// The identity of the element that posted the message.
    func source(_ message: UnsafeMutablePointer<GstMessage>) -> UInt {
        unsafe UInt(bitPattern: message.pointee.src)
    }

    private func buffering(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal {
        var percent: gint = 0
        unsafe gst_message_parse_buffering(message, &percent)
        return .buffering(percent: Int(percent))
    }

    private func state(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        guard unsafe isFromPipeline(message) else { return nil }
        var old = GST_STATE_NULL
        var new = GST_STATE_NULL
        var pending = GST_STATE_NULL
        unsafe gst_message_parse_state_changed(message, &old, &new, &pending)
        switch new {
        case GST_STATE_PLAYING: return .pipelineState(.playing)
        case GST_STATE_PAUSED: return .pipelineState(.paused)
        default: return .pipelineState(.idle)
        }
    }

    private func drop(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        guard unsafe source(message) != pipeline.audioSinkID else { return nil }
        var format = GST_FORMAT_UNDEFINED
        var processed: guint64 = 0
        var dropped: guint64 = 0
        unsafe gst_message_parse_qos_stats(message, &format, &processed, &dropped)
        guard dropped != .max else { return nil }
        return unsafe .framesDropped(element: source(message), total: Int64(clamping: dropped))
    }

    static func error(_ message: UnsafeMutablePointer<GstMessage>) -> RawEngineError {
        var failure: UnsafeMutablePointer<GError>?
        var debug: UnsafeMutablePointer<gchar>?
        unsafe gst_message_parse_error(message, &failure, &debug)
        var raw = RawEngineError(domain: "", code: 0)
        if let failure = unsafe failure {
            raw.domain = unsafe g_quark_to_string(failure.pointee.domain).map { unsafe String(cString: $0) } ?? ""
            raw.code = unsafe Int(failure.pointee.code)
            raw.message = unsafe failure.pointee.message.map { unsafe String(cString: $0) } ?? ""
            unsafe g_error_free(failure)
        }
        if let debug = unsafe debug {
            raw.debug = unsafe String(cString: debug)
            unsafe g_free(debug)
        }
        var details: UnsafePointer<GstStructure>?
        unsafe gst_message_parse_error_details(message, &details)
        if let details = unsafe details {
            raw.httpStatus = unsafe GStructureReader(details).integer("http-status-code").map { Int($0) }
        }
        return raw
    }
}
