import CGStreamer

/// One GET through a source and a sink of their own; all calls come from one thread.
@safe final class HTTPRequest {
    /// How a request ended.
    enum Outcome {
        case ended
        case tooLarge
        case timeout
        case failed(status: Int?, message: String)
    }

    private typealias HandoffCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<GstBuffer>?, UnsafeMutableRawPointer?,
            UnsafeMutableRawPointer?
        ) -> Void

    private static let onHandoff: HandoffCallback = { _, buffer, _, context in
        guard let buffer = unsafe buffer, let context = unsafe context else { return }
        unsafe Unmanaged<HTTPBody>.fromOpaque(context).takeUnretainedValue().append(buffer)
    }

    let body: HTTPBody
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let bus: UnsafeMutablePointer<GstBus>

    /// Prepares a request; nil when a part of GStreamer is missing.
    init?(_ url: String, limit: Int, timeoutMs: Int64) {
        guard let pipeline = unsafe gst_pipeline_new(nil) else { return nil }
        guard let source = unsafe gst_element_factory_make("souphttpsrc", nil),
            let sink = unsafe gst_element_factory_make("fakesink", nil),
            let bus = unsafe gst_element_get_bus(pipeline)
        else {
            unsafe gst_object_unref(pipeline)
            return nil
        }
        let bin = unsafe UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        unsafe gst_bin_add(bin, source)
        unsafe gst_bin_add(bin, sink)
        unsafe gst_element_link(source, sink)
        let properties = unsafe GObjectProperties(source)
        properties.set("location", url)
        properties.set("timeout", max(1, (timeoutMs + 999) / 1000))
        properties.set("retries", 0)
        properties.set("keep-alive", "false")
        let sinkProperties = unsafe GObjectProperties(sink)
        sinkProperties.set("sync", "false")
        sinkProperties.set("signal-handoffs", "true")
        sinkProperties.set("enable-last-sample", "false")
        body = HTTPBody(limit: limit)
        unsafe self.pipeline = pipeline
        unsafe self.bus = bus
        let callback = unsafe unsafeBitCast(Self.onHandoff, to: GCallback.self)
        let context = unsafe Unmanaged.passUnretained(body).toOpaque()
        unsafe g_signal_connect_data(sink, "handoff", callback, context, nil, GConnectFlags(rawValue: 0))
    }

    deinit {
        unsafe gst_object_unref(bus)
        unsafe gst_object_unref(pipeline)
    }

    /// Asks and waits for the end.
    func run(untilNs deadlineNs: Int64) -> Outcome {
        unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
        while true {
            if body.isTooLarge { return .tooLarge }
            let leftNs = deadlineNs - MonotonicClock.nowNs()
            guard leftNs > 0 else { return .timeout }
            let mask = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
            let message = unsafe gst_bus_timed_pop_filtered(bus, GstClockTime(min(leftNs, 100_000_000)), mask)
            guard let message = unsafe message else { continue }
            defer { unsafe gst_message_unref(message) }
            if body.isTooLarge { return .tooLarge }
            if unsafe message.pointee.type == GST_MESSAGE_EOS { return .ended }
            let raw = unsafe MessageReader.error(message)
            return .failed(status: raw.httpStatus, message: raw.message)
        }
    }

    /// Ends the streaming threads; no callback comes afterwards.
    func close() {
        unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    }
}
