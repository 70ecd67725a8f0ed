import CLibAVFormat
import Chapters
import Glibc
import TextEncoding

/// The chapters of MP4 and QuickTime files, which GStreamer's demuxer does not tell of.
enum FileChapters {
    private static let milliseconds = AVRational(num: 1, den: 1000)

    /// The chapters in the order of the file; none when the file has none, is of another kind or cannot be read.
    static func read(_ path: String) -> [Chapter] {
        guard isMP4(path) else { return [] }
        // What is wrong with the file is told by whoever plays it.
        av_log_set_level(AV_LOG_QUIET)
        guard let format = unsafe av_find_input_format("mov") else { return [] }
        var options: OpaquePointer?
        unsafe av_dict_set(&options, "protocol_whitelist", "file", 0)
        defer { unsafe av_dict_free(&options) }
        var file: UnsafeMutablePointer<AVFormatContext>?
        guard unsafe avformat_open_input(&file, UndecodedText.path("file:" + path), format, &options) == 0,
            let opened = unsafe file
        else {
            return []
        }
        defer { unsafe avformat_close_input(&file) }
        var chapters: [Chapter] = []
        for index in 0..<Int(unsafe opened.pointee.nb_chapters) {
            guard let chapter = unsafe opened.pointee.chapters[index] else { continue }
            unsafe chapters.append(read(chapter))
        }
        return chapters
    }

    private static func read(_ chapter: UnsafeMutablePointer<AVChapter>) -> Chapter {
        let base = unsafe chapter.pointee.time_base
        let (startMs, endMs) = unsafe (
            av_rescale_q(chapter.pointee.start, base, milliseconds),
            av_rescale_q(chapter.pointee.end, base, milliseconds)
        )
        var title = ""
        if let entry = unsafe av_dict_get(chapter.pointee.metadata, "title", nil, 0),
            let text = unsafe entry.pointee.value
        {
            title = unsafe String(cString: text)
        }
        return Chapter(startMs: startMs, endMs: endMs > startMs ? endMs : nil, title: title)
    }

    /// Whether the file begins as files of this family do.
    private static func isMP4(_ path: String) -> Bool {
        guard let file = unsafe fopen(UndecodedText.path(path), "re") else { return false }
        defer { unsafe fclose(file) }
        var head = [UInt8](repeating: 0, count: 8)
        return unsafe fread(&head, 1, head.count, file) == head.count && head[4...] == Array("ftyp".utf8)[...]
    }
}
