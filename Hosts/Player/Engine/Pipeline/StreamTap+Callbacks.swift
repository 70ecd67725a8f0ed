import CGStreamer
import Synchronization

// The C side of the tap. The context is not retained: the pipeline owns the tap and ends its streaming threads first.

extension StreamTap {
    private typealias FrameCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> Void
    private typealias NotifyCallback =
        @convention(c) (UnsafeMutablePointer<GstPad>?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    private typealias ElementCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<GstElement>?,
            UnsafeMutableRawPointer?
        ) -> Void

    private typealias PadCallback =
        @convention(c) (UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstPad>?, UnsafeMutableRawPointer?) ->
        Void

    /// Orders a tap's making before its first callback for the thread sanitizer, which does not see GLib's locks.
    private static let connections = Atomic<Int>(0)

    private static func from(_ context: UnsafeMutableRawPointer?) -> StreamTap? {
        _ = connections.load(ordering: .acquiring)
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<StreamTap>.fromOpaque(context).takeUnretainedValue()
    }

    private static let onFrame: FrameCallback = { _, _, _, context in
        unsafe StreamTap.from(context)?.frameRendered()
    }

    private static let onPreroll: FrameCallback = { _, _, _, context in
        unsafe StreamTap.from(context)?.framePrerolled()
    }

    private static let onCaps: NotifyCallback = { pad, _, context in
        guard let pad = unsafe pad else { return }
        unsafe StreamTap.from(context)?.capsChanged(on: pad)
    }

    private static let onElement: ElementCallback = { _, _, element, context in
        guard let element = unsafe element else { return }
        unsafe StreamTap.from(context)?.elementAdded(element)
    }

    private static let texts = ["text/", "subpicture/", "application/x-ass", "application/x-ssa", "application/x-usf"]

    /// Lets nobody see a stream of texts in a container.
    ///
    /// GStreamer 1.22 would choose it though nobody shows it, and now and then connects no decoder to the picture or
    /// the sound while a text's first line is far away. Whoever builds the pipeline hears of a stream after this.
    private static let onPad: PadCallback = { element, pad, context in
        guard let element = unsafe element, let pad = unsafe pad, let caps = unsafe gst_pad_get_current_caps(pad) else {
            return
        }
        defer { unsafe gst_caps_unref(caps) }
        guard let structure = unsafe gst_caps_get_structure(caps, 0) else { return }
        let type = unsafe GStructureReader(structure).name
        guard texts.contains(where: type.hasPrefix) else { return }
        unsafe StreamTap.from(context)?.hiddenTexts.add(pad)
        unsafe g_signal_stop_emission_by_name(element, "pad-added")
    }

    private static let onManifest: GstPadProbeCallback = { pad, info, context in
        guard let pad = unsafe pad, let info = unsafe info, let tap = unsafe StreamTap.from(context) else {
            return GST_PAD_PROBE_OK
        }
        let isBuffer = unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
        if isBuffer, let buffer = unsafe gst_pad_probe_info_get_buffer(info) { unsafe tap.manifestBytes(buffer) }
        if !isBuffer, let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_EOS
        {
            return unsafe tap.manifestEnded(from: address(before: pad)) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
        }
        return GST_PAD_PROBE_OK
    }

    /// The address of what comes to a pad, where its server has redirected to.
    private static func address(before pad: UnsafeMutablePointer<GstPad>) -> String? {
        guard let query = unsafe gst_query_new_uri() else { return nil }
        defer { unsafe gst_query_unref(query) }
        guard unsafe gst_pad_peer_query(pad, query) != 0 else { return nil }
        var (first, moved): (UnsafeMutablePointer<gchar>?, UnsafeMutablePointer<gchar>?) = (nil, nil)
        unsafe gst_query_parse_uri(query, &first)
        unsafe gst_query_parse_uri_redirection(query, &moved)
        defer {
            unsafe g_free(first)
            unsafe g_free(moved)
        }
        return unsafe (moved ?? first).map { unsafe String(cString: $0) }
    }

    private static let onSourceEvent: GstPadProbeCallback = { _, info, context in
        if let info = unsafe info, unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
            if let buffer = unsafe gst_pad_probe_info_get_buffer(info) { unsafe from(context)?.fileBytes(buffer) }
            return GST_PAD_PROBE_OK
        }
        guard let info = unsafe info, let event = unsafe gst_pad_probe_info_get_event(info),
            unsafe event.pointee.type == GST_EVENT_EOS, let tap = unsafe StreamTap.from(context), !tap.isAdaptive
        else { return GST_PAD_PROBE_OK }
        tap.fileEnded()
        tap.awaitFirstPicture()
        return GST_PAD_PROBE_OK
    }

    private static let onMedia: GstPadProbeCallback = { pad, info, context in
        guard let pad = unsafe pad, let info = unsafe info, let tap = unsafe StreamTap.from(context) else {
            return GST_PAD_PROBE_OK
        }
        let type = unsafe info.pointee.type.rawValue
        if type & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
            if let buffer = unsafe gst_pad_probe_info_get_buffer(info) {
                unsafe tap.extent.extend(by: buffer, at: pad)
                unsafe tap.holes.add(buffer, at: pad)
            }
        } else if let event = unsafe gst_pad_probe_info_get_event(info),
            unsafe event.pointee.type == GST_EVENT_FLUSH_STOP
        {
            tap.flush()
        }
        return GST_PAD_PROBE_OK
    }

    private static let onGap: GstPadProbeCallback = { pad, info, context in
        guard let pad = unsafe pad, let info = unsafe info, let event = unsafe gst_pad_probe_info_get_event(info),
            unsafe event.pointee.type == GST_EVENT_GAP, let tap = unsafe from(context)
        else { return GST_PAD_PROBE_OK }
        return unsafe tap.holes.hasMedia(at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }

    private static let onPicture: GstPadProbeCallback = { pad, info, context in
        guard let pad = unsafe pad, let info = unsafe info, let tap = unsafe StreamTap.from(context) else {
            return GST_PAD_PROBE_OK
        }
        if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue == 0 {
            if let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_FLUSH_STOP
            {
                tap.ledger.reset()
            }
        } else if unsafe gst_pad_get_direction(pad) == GST_PAD_SINK {
            if let buffer = unsafe gst_pad_probe_info_get_buffer(info) { unsafe tap.ledger.count(buffer, at: pad) }
        } else {
            tap.ledger.give()
        }
        return GST_PAD_PROBE_OK
    }

    func connect(pipeline: UnsafeMutablePointer<GstElement>, videoSink: UnsafeMutablePointer<GstElement>) {
        Self.connections.add(1, ordering: .releasing)
        unsafe connect(videoSink, "handoff", unsafeBitCast(Self.onFrame, to: GCallback.self))
        unsafe connect(videoSink, "preroll-handoff", unsafeBitCast(Self.onPreroll, to: GCallback.self))
        unsafe connect(pipeline, "deep-element-added", unsafeBitCast(Self.onElement, to: GCallback.self))
        guard let pad = unsafe gst_element_get_static_pad(videoSink, "sink") else { return }
        unsafe connect(pad, "notify::caps", unsafeBitCast(Self.onCaps, to: GCallback.self))
        unsafe gst_object_unref(pad)
    }

    /// Leaves out what nobody sees of the streams that a container has.
    func connectPadFilter(to demuxer: UnsafeMutablePointer<GstElement>) {
        unsafe connect(demuxer, "pad-added", unsafeBitCast(Self.onPad, to: GCallback.self))
    }

    /// Reads the manifest as it passes into the demuxer.
    func connectManifestProbe(to demuxer: UnsafeMutablePointer<GstElement>) {
        let types = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]
        unsafe probe(demuxer, "sink", types, Self.onManifest)
    }

    /// Follows a download to its end.
    func connectEndProbe(to source: UnsafeMutablePointer<GstElement>) {
        let types = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]
        unsafe probe(source, "src", types, Self.onSourceEvent)
    }

    /// Follows how far the media reaches that a decoder gets.
    func connectExtentProbe(to decoder: UnsafeMutablePointer<GstElement>) {
        unsafe probe(decoder, "sink", [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH], Self.onMedia)
    }

    /// Follows what comes to a sink that has no decoder before it.
    ///
    /// A sink waits for the end of a gap that it is told of: nobody would know how long the hole is before that.
    func connectSinkProbes(to sink: UnsafeMutablePointer<GstElement>) {
        unsafe connectExtentProbe(to: sink)
        unsafe probe(sink, "sink", [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM], Self.onGap)
    }

    /// Counts what goes into a video decoder and what comes out.
    func connectLedger(to decoder: UnsafeMutablePointer<GstElement>) {
        for name in ["sink", "src"] {
            unsafe probe(decoder, name, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH], Self.onPicture)
        }
    }

    private func probe(
        _ element: UnsafeMutablePointer<GstElement>,
        _ name: String,
        _ types: [GstPadProbeType],
        _ callback: @escaping GstPadProbeCallback
    ) {
        guard let pad = unsafe gst_element_get_static_pad(element, name) else { return }
        let mask = GstPadProbeType(rawValue: types.reduce(0) { $0 | $1.rawValue })
        unsafe gst_pad_add_probe(pad, mask, callback, Unmanaged.passUnretained(self).toOpaque(), nil)
        unsafe gst_object_unref(pad)
    }

    private func connect(_ instance: UnsafeMutableRawPointer, _ signal: String, _ callback: GCallback) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe g_signal_connect_data(instance, signal, callback, context, nil, GConnectFlags(rawValue: 0))
    }
}
