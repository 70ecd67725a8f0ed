import CGStreamer

/// The GStreamer pipeline of one item; all calls come from the engine thread.
@safe final class Pipeline {
    /// The pipeline itself, also the source of its messages.
    let element: UnsafeMutablePointer<GstElement>
    let bus: UnsafeMutablePointer<GstBus>
    let videoSink: UnsafeMutablePointer<GstElement>
    let audioSink: UnsafeMutablePointer<GstElement>
    let tap: StreamTap
    let tracks = TrackSelection()

    /// Creates the pipeline in its idle state; nil when a part of GStreamer is not installed.
    init?(configuration: EngineConfiguration, mailbox: Mailbox, reporting: CMCDReporting?) {
        _ = GStreamerRuntime.version
        guard let element = unsafe gst_element_factory_make("playbin3", nil) else { return nil }
        guard let video = unsafe Self.makeSink() else {
            unsafe gst_object_unref(element)
            return nil
        }
        guard let audio = unsafe Self.makeSink(), let bus = unsafe gst_element_get_bus(element) else {
            unsafe gst_object_unref(video)
            unsafe gst_object_unref(element)
            return nil
        }
        unsafe self.element = element
        unsafe self.bus = bus
        unsafe videoSink = video
        unsafe audioSink = audio
        tap = StreamTap(configuration: configuration, mailbox: mailbox, reporting: reporting)
        configure(configuration)
        unsafe tap.connect(pipeline: element, videoSink: video)
    }

    deinit {
        unsafe gst_object_unref(bus)
        unsafe gst_object_unref(videoSink)
        unsafe gst_object_unref(audioSink)
        unsafe gst_object_unref(element)
    }

    private static func makeSink() -> UnsafeMutablePointer<GstElement>? {
        guard let sink = unsafe gst_element_factory_make("fakesink", nil) else { return nil }
        unsafe gst_object_ref_sink(sink)
        unsafe GObjectProperties(sink).set("sync", "true")
        unsafe GObjectProperties(sink).set("enable-last-sample", "false")
        return unsafe sink
    }

    private func configure(_ configuration: EngineConfiguration) {
        let video = unsafe GObjectProperties(videoSink)
        video.set("qos", "true")
        video.set("max-lateness", configuration.maxLatenessMs * 1_000_000)
        video.set("signal-handoffs", "true")
        let properties = unsafe GObjectProperties(element)
        // Nobody hears or sees anything: the sinks take what decoders make, without converters. With `soft-volume`
        // GStreamer 1.22 would leave its volume element behind, too; without it the volume is a value that is kept.
        properties.set("flags", "video+audio+native-video+native-audio+buffering")
        if !configuration.decodes { leaveUndecoded() }
        properties.set("buffer-duration", configuration.bufferMs * 1_000_000)
        unsafe properties.set("video-sink", object: videoSink)
        unsafe properties.set("audio-sink", object: audioSink)
    }

    /// Identities to compare the source of a message with.
    var elementID: UInt { unsafe UInt(bitPattern: element) }
    var videoSinkID: UInt { unsafe UInt(bitPattern: videoSink) }
    var audioSinkID: UInt { unsafe UInt(bitPattern: audioSink) }

    func setLocation(_ uri: String) {
        tap.setLocation(uri)
        unsafe GObjectProperties(element).set("uri", uri)
    }

    @discardableResult
    func setState(_ state: GstState) -> GstStateChangeReturn { unsafe gst_element_set_state(element, state) }

    /// Seeks with a flush to an exact position; false when playback goes on as if nothing had been asked.
    ///
    /// A demuxer may refuse after it has thrown its media away. A preroll follows then as after any other seek, and
    /// playback goes on wherever the demuxer is.
    func seek(toMs targetMs: Int64, rate: Double) -> Bool {
        let flushCount = tap.extent.flushCount
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        return tap.betweenRequests { [self] in
            let accepted = unsafe gst_element_seek(
                element,
                rate,
                GST_FORMAT_TIME,
                flags,
                GST_SEEK_TYPE_SET,
                gint64(targetMs * 1_000_000),
                GST_SEEK_TYPE_SET,
                -1
            )
            return accepted != 0 || tap.extent.flushCount != flushCount
        }
    }

    /// Goes on behind a stretch without media: its length is taken out of the time that passes for the sinks.
    func pass(toMs targetMs: Int64, rate: Double) -> Bool {
        setState(GST_STATE_PAUSED)
        defer { setState(GST_STATE_PLAYING) }
        let startNs = unsafe gst_element_get_start_time(element)
        guard startNs != .max, let positionMs, targetMs > positionMs else { return false }
        let lengthNs = Double(targetMs - positionMs) * 1_000_000 / rate
        unsafe gst_element_set_start_time(element, startNs + GstClockTime(lengthNs))
        return true
    }

    var positionMs: Int64? {
        var position: gint64 = -1
        guard unsafe gst_element_query_position(element, GST_FORMAT_TIME, &position) != 0 else { return nil }
        return position < 0 ? nil : Int64(position / 1_000_000)
    }

    var durationMs: Int64? {
        var duration: gint64 = -1
        guard unsafe gst_element_query_duration(element, GST_FORMAT_TIME, &duration) != 0 else { return nil }
        return duration < 0 ? nil : Int64(duration / 1_000_000)
    }

    /// Whether the playhead can be moved, and up to where, as far as that is known.
    private var seekability: (isSeekable: Bool, endMs: Int64?) {
        guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return (false, nil) }
        defer { unsafe gst_query_unref(query) }
        guard unsafe gst_element_query(element, query) != 0 else { return (false, nil) }
        var seekable: gboolean = 0
        var end: gint64 = -1
        unsafe gst_query_parse_seeking(query, nil, &seekable, nil, &end)
        return (seekable != 0, end < 0 ? nil : Int64(end / 1_000_000))
    }

    func describeMedia(isNetwork: Bool) -> EngineMedia {
        var media = EngineMedia()
        media.durationMs = durationMs
        let seekability = seekability
        media.isSeekable = seekability.isSeekable
        media.isAdaptive = tap.isAdaptive
        media.isLive = media.durationMs == nil && (media.isAdaptive || (isNetwork && !media.isSeekable))
        media.windowEndMs = media.durationMs == nil ? seekability.endMs : nil
        media.hasVideo = unsafe Self.hasCaps(videoSink)
        media.hasAudio = unsafe Self.hasCaps(audioSink)
        return media
    }

    private static func hasCaps(_ sink: UnsafeMutablePointer<GstElement>) -> Bool {
        guard let pad = unsafe gst_element_get_static_pad(sink, "sink") else { return false }
        defer { unsafe gst_object_unref(pad) }
        guard let caps = unsafe gst_pad_get_current_caps(pad) else { return false }
        unsafe gst_caps_unref(caps)
        return true
    }

    func poll() -> EnginePoll {
        var poll = EnginePoll()
        poll.positionMs = positionMs
        poll.renderedFrames = tap.renderedFrames
        poll.decoderInput = tap.ledger.input
        poll.decoderOutput = tap.ledger.output
        poll.hole = tap.holes.next(afterMs: poll.positionMs ?? 0)
        tap.withAdaptiveDemuxer { demuxer in
            poll.throughput = demuxer.int64("current-bandwidth").flatMap { $0 > 0 ? $0 : nil }
            poll.bufferedMs = demuxer.int64("current-level-time-video").map { $0 / 1_000_000 }
        }
        return poll
    }
}

extension Pipeline {
    /// What goes to the sinks as it is when nothing is decoded.
    private static let undecoded = [
        "video/x-h264", "video/x-h265", "video/x-vp8", "video/x-vp9", "video/x-av1", "video/mpeg", "video/x-raw",
        "audio/mpeg", "audio/x-opus", "audio/x-vorbis", "audio/x-ac3", "audio/x-eac3", "audio/x-flac", "audio/x-raw",
        // No sink has these: they are done with, too, where they are not decoded to something else.
        "text/x-raw", "application/x-subtitle-vtt", "application/x-subtitle", "application/ttml+xml",
        "subpicture/x-dvd", "subpicture/x-dvb", "subpicture/x-pgs", "closedcaption/x-cea-608",
        "closedcaption/x-cea-708",
    ].joined(separator: ";")

    /// Lets what the parsers give out go to the sinks, by the child of the pipeline that chooses the decoders.
    func leaveUndecoded() {
        let bin = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
        var next = unsafe bin.pointee.children
        while let node = unsafe next {
            if let child = unsafe node.pointee.data {
                unsafe GObjectProperties(child.assumingMemoryBound(to: GstElement.self)).set("caps", Self.undecoded)
            }
            unsafe next = node.pointee.next
        }
        unsafe tap.connectSinkProbes(to: videoSink)
        unsafe tap.connectSinkProbes(to: audioSink)
    }
}
