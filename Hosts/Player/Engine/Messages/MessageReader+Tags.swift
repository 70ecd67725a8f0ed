import CGStreamer

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
