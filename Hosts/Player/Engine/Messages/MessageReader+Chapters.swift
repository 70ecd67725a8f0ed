import CGStreamer

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
        var found: [EngineChapter] = []
        unsafe collect(gst_toc_get_entries(table), into: &found)
        return found.isEmpty ? nil : .chapters(found)
    }

    private func collect(_ list: UnsafeMutablePointer<GList>?, into found: inout [EngineChapter]) {
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

    private func chapter(_ entry: OpaquePointer) -> EngineChapter {
        var start: gint64 = 0
        var stop: gint64 = -1
        unsafe gst_toc_entry_get_start_stop_times(entry, &start, &stop)
        var chapter = EngineChapter(startMs: Int64(start) / 1_000_000, endMs: nil, title: "")
        if stop > start { chapter.endMs = Int64(stop) / 1_000_000 }
        var text: UnsafeMutablePointer<gchar>?
        if let tags = unsafe gst_toc_entry_get_tags(entry), unsafe gst_tag_list_get_string(tags, "title", &text) != 0,
            let text = unsafe text
        {
            chapter.title = unsafe String(cString: text)
            unsafe g_free(text)
        }
        return chapter
    }
}
