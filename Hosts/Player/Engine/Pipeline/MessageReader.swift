import CGStreamer
import Chapters

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
        case GST_MESSAGE_STREAM_COLLECTION, GST_MESSAGE_STREAMS_SELECTED:
            unsafe pipeline.tracks.update(from: message)
            return nil
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
        var (old, new, pending) = (GST_STATE_NULL, GST_STATE_NULL, GST_STATE_NULL)
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
        var (processed, dropped) = (guint64(0), guint64(0))
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

extension MessageReader {
    func element(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        guard let structure = unsafe gst_message_get_structure(message) else { return nil }
        let reader = unsafe GStructureReader(structure)
        switch reader.name {
        case "missing-plugin":
            let mediaType = reader.mediaType("detail") ?? ""
            return .missingDecoder(mediaType: mediaType, name: reader.string("name") ?? mediaType)
        case "http-headers":
            return .request(request(reader))
        case "adaptive-streaming-statistics":
            guard let bitrate = reader.integer("bitrate") else { return nil }
            return .variantChosen(bitrate: bitrate)
        default:
            return nil
        }
    }

    private func request(_ reader: GStructureReader) -> EngineRequest {
        var request = EngineRequest(url: reader.string("uri") ?? "")
        // A number below 100 is no answer of a server but a failure of the connection.
        request.status = reader.integer("http-status-code").flatMap { $0 >= 100 ? Int($0) : nil }
        let headers = reader.structure("response-headers")
        request.contentLength = headers?.string("Content-Length").flatMap { Int64($0) }
        request.contentType = headers?.string("Content-Type")
        return request
    }
}

extension MessageReader {
    /// Tags as a sink reports them, so that it is known which stream they belong to.
    func tags(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        let stream: StreamKind? =
            switch unsafe source(message) {
            case pipeline.videoSinkID: .video
            case pipeline.audioSinkID: .audio
            default: nil
            }
        var list: UnsafeMutablePointer<GstTagList>?
        unsafe gst_message_parse_tag(message, &list)
        guard let list = unsafe list else { return nil }
        defer { unsafe gst_tag_list_unref(list) }
        var tags = EngineTags()
        tags.title = unsafe string(list, "title")
        // The container's word for "undetermined" says nothing.
        tags.language = unsafe string(list, "language-code").flatMap { $0 == "und" ? nil : $0 }
        tags.container = unsafe string(list, "container-format")
        tags.videoCodec = unsafe string(list, "video-codec")
        tags.audioCodec = unsafe string(list, "audio-codec")
        let bitrate = unsafe unsigned(list, "bitrate") ?? unsigned(list, "nominal-bitrate")
        return .tags(tags, stream, bitrate: bitrate)
    }

    private func string(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> String? {
        var value: UnsafeMutablePointer<gchar>?
        guard unsafe gst_tag_list_get_string(list, name, &value) != 0, let value = unsafe value else { return nil }
        defer { unsafe g_free(value) }
        return unsafe String(cString: value)
    }

    private func unsigned(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> Int64? {
        var value: guint = 0
        guard unsafe gst_tag_list_get_uint(list, name, &value) != 0, value > 0 else { return nil }
        return Int64(value)
    }
}

extension MessageReader {
    /// The chapters in a table of contents, those within chapters left out.
    func chapters(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        var table: OpaquePointer?
        var isUpdate: gboolean = 0
        unsafe gst_message_parse_toc(message, &table, &isUpdate)
        guard let table = unsafe table else { return nil }
        defer {
            unsafe gst_mini_object_unref(UnsafeMutableRawPointer(table).assumingMemoryBound(to: GstMiniObject.self))
        }
        var found: [Chapter] = []
        unsafe collect(gst_toc_get_entries(table), into: &found)
        return found.isEmpty ? nil : .chapters(found)
    }

    private func collect(_ list: UnsafeMutablePointer<GList>?, into found: inout [Chapter]) {
        var next = unsafe list
        while let node = unsafe next {
            if let data = unsafe node.pointee.data {
                let entry = OpaquePointer(data)
                switch unsafe gst_toc_entry_get_entry_type(entry) {
                case GST_TOC_ENTRY_TYPE_CHAPTER: unsafe found.append(chapter(entry))
                case GST_TOC_ENTRY_TYPE_EDITION: unsafe collect(gst_toc_entry_get_sub_entries(entry), into: &found)
                default: break
                }
            }
            unsafe next = node.pointee.next
        }
    }

    private func chapter(_ entry: OpaquePointer) -> Chapter {
        var start: gint64 = 0
        var stop: gint64 = -1
        unsafe gst_toc_entry_get_start_stop_times(entry, &start, &stop)
        var chapter = Chapter(startMs: Int64(start) / 1_000_000, endMs: nil, title: "")
        if stop > start { chapter.endMs = Int64(stop) / 1_000_000 }
        if let tags = unsafe gst_toc_entry_get_tags(entry) { chapter.title = unsafe string(tags, "title") ?? "" }
        return chapter
    }
}
