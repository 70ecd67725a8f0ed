import CGStreamer
import Glibc

/// The streams that an item has, and which of them are played; used on the engine's thread.
@safe final class TrackSelection {
    private typealias LanguageFunction = @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<CChar>?

    private var collection: UnsafeMutablePointer<GstStreamCollection>?
    /// What the pipeline says that it plays.
    private var selected: [String] = []

    deinit { if let collection = unsafe collection { unsafe gst_object_unref(collection) } }

    /// Takes what a message of the bus says: which streams there are, or which are played.
    func update(from message: UnsafeMutablePointer<GstMessage>) {
        if unsafe message.pointee.type == GST_MESSAGE_STREAM_COLLECTION {
            var found: UnsafeMutablePointer<GstStreamCollection>?
            unsafe gst_message_parse_stream_collection(message, &found)
            if let old = unsafe collection { unsafe gst_object_unref(old) }
            unsafe collection = unsafe found
        } else {
            selected = unsafe (0..<gst_message_streams_selected_get_size(message)).compactMap { index in
                guard let stream = unsafe gst_message_streams_selected_get_stream(message, index) else { return nil }
                defer { unsafe gst_object_unref(stream) }
                return unsafe Self.id(of: stream)
            }
        }
    }

    /// Has the pipeline play the sound of a language, or the one of a number from 1 on; the reason when there is none.
    func select(audio wish: String, in pipeline: UnsafeMutablePointer<GstElement>) -> String? {
        let streams = self.streams
        let sounds = streams.filter(\.isAudio)
        guard let chosen = Self.choice(wish, among: sounds) else {
            return TrackAbsence(wish: wish, kind: "sound", languages: sounds.map(\.language)).description
        }
        guard !selected.contains(chosen.id) else { return nil }
        let audible = Set(sounds.map(\.id))
        var ids = selected.filter { !audible.contains($0) }
        if ids.isEmpty { ids = streams.filter(\.isVideo).prefix(1).map(\.id) }
        ids.append(chosen.id)
        var list: UnsafeMutablePointer<GList>?
        for id in ids { unsafe list = unsafe g_list_append(list, g_strdup(id)) }
        let isTaken = unsafe gst_element_send_event(pipeline, gst_event_new_select_streams(list)) != 0
        unsafe g_list_free_full(list) { text in unsafe g_free(text) }
        guard isTaken else { return "the engine refused the choice of the sound '\(wish)'" }
        selected = ids
        return nil
    }

    /// The language of the subtitles that a wish means, `und` when that is not known, or `off`.
    ///
    /// Nobody sees them, and the pipeline is told nothing of it: GStreamer 1.22 stands still when another text of a
    /// stream is selected.
    func subtitles(_ wish: String, besides hidden: HiddenTexts) -> Result<String, TrackAbsence> {
        guard wish != Self.noSubtitles else { return .success(wish) }
        let known = streams.filter(\.isText)
        let texts = known + hidden.tracks.filter { track in !known.contains { $0.id == track.id } }
        guard let chosen = Self.choice(wish, among: texts) else {
            return .failure(TrackAbsence(wish: wish, kind: "subtitle", languages: texts.map(\.language)))
        }
        return .success(chosen.language ?? Self.unknownLanguage)
    }

    private static let noSubtitles = "off"
    private static let unknownLanguage = "und"

    struct Track {
        let id: String
        var isAudio = false
        var isVideo = false
        var isText = false
        let language: String?
    }

    private var streams: [Track] {
        guard let collection = unsafe collection else { return [] }
        return unsafe (0..<gst_stream_collection_get_size(collection)).compactMap { index in
            guard let stream = unsafe gst_stream_collection_get_stream(collection, index),
                let id = unsafe Self.id(of: stream)
            else { return nil }
            let type = unsafe gst_stream_get_stream_type(stream).rawValue
            return unsafe Track(
                id: id,
                isAudio: type & GST_STREAM_TYPE_AUDIO.rawValue != 0,
                isVideo: type & GST_STREAM_TYPE_VIDEO.rawValue != 0,
                isText: type & GST_STREAM_TYPE_TEXT.rawValue != 0,
                language: Self.language(of: stream)
            )
        }
    }

    private static func id(of stream: UnsafeMutablePointer<GstStream>) -> String? {
        unsafe gst_stream_get_stream_id(stream).map { unsafe String(cString: $0) }
    }

    private static func language(of stream: UnsafeMutablePointer<GstStream>) -> String? {
        guard let tags = unsafe gst_stream_get_tags(stream) else { return nil }
        defer { unsafe gst_tag_list_unref(tags) }
        return unsafe language(in: tags)
    }

    /// The language that tags name; nil when there is none, or it is not known.
    static func language(in tags: UnsafeMutablePointer<GstTagList>) -> String? {
        var value: UnsafeMutablePointer<gchar>?
        guard unsafe gst_tag_list_get_string(tags, "language-code", &value) != 0, let value = unsafe value else {
            return nil
        }
        defer { unsafe g_free(value) }
        let language = unsafe String(cString: value)
        return language == unknownLanguage ? nil : language
    }

    /// The number, else the same tag, else the same language.
    private static func choice(_ wish: String, among tracks: [Track]) -> Track? {
        if let number = Int(wish) { return tracks.indices.contains(number - 1) ? tracks[number - 1] : nil }
        let tag = wish.lowercased()
        return tracks.first { $0.language?.lowercased() == tag }
            ?? tracks.first { $0.language.map(code) == code(tag) }
    }

    /// A language without what is behind it, by its short code: `deu`, `ger` and `de-AT` are `de`.
    private static func code(_ tag: String) -> String {
        let language = String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
        guard let library = unsafe dlopen("libgsttag-1.0.so.0", RTLD_LAZY),
            let function = unsafe dlsym(library, "gst_tag_get_language_code_iso_639_1"),
            let short = unsafe unsafeBitCast(function, to: LanguageFunction.self)(language)
        else { return language }
        return unsafe String(cString: short)
    }
}

/// A choice of something that an item does not have.
struct TrackAbsence: Error, CustomStringConvertible {
    let wish: String
    /// What was chosen among: `sound` or `subtitle`.
    let kind: String
    /// The languages of what there is, in the order of its numbers.
    let languages: [String?]

    var description: String {
        let names = languages.enumerated().map { index, language in "\(index + 1) (\(language ?? "unknown"))" }
        let choice = names.isEmpty ? "the item has none" : "choose from " + names.joined(separator: ", ")
        return "there is no \(kind) '\(wish)': \(choice)"
    }
}
