/// Reads chapters from a WebVTT file (W3C WebVTT, chapter cues).
package enum WebVTTChapters {
    /// Why a file has no chapters.
    package enum Failure: Error, Sendable, Equatable {
        case notWebVTT
        /// A cue's times cannot be read; the line is from 1.
        case badTimes(line: Int)
        case noChapters

        /// The reason in words.
        package var reason: String {
            switch self {
            case .notWebVTT: "it does not begin with WEBVTT"
            case .badTimes(let line): "line \(line) has no times such as 00:00:10.000 --> 00:00:20.000"
            case .noChapters: "there is no chapter in it"
            }
        }
    }

    /// The chapters in a text.
    package static func chapters(in text: String) throws(Failure) -> ChapterList {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        guard var header = lines.popFirst() else { throw .notWebVTT }
        if header.unicodeScalars.first == "\u{FEFF}" { header = header.dropFirst() }
        guard header == "WEBVTT" || header.hasPrefix("WEBVTT ") || header.hasPrefix("WEBVTT\t") else {
            throw .notWebVTT
        }
        var found: [Chapter] = []
        while let first = lines.firstIndex(where: { !$0.isEmpty }) {
            let end = lines[first...].firstIndex(where: \.isEmpty) ?? lines.endIndex
            if let chapter = try chapter(lines[first..<end], firstLine: first + 1) { found.append(chapter) }
            lines = lines[end...]
        }
        let list = ChapterList(found)
        guard !list.chapters.isEmpty else { throw .noChapters }
        return list
    }

    private static func chapter(_ block: ArraySlice<Substring>, firstLine: Int) throws(Failure) -> Chapter? {
        // What has no arrow is a note, a style or a region.
        guard let line = block.firstIndex(where: { $0.contains("-->") }), let arrow = block[line].firstRange(of: "-->")
        else { return nil }
        let begin = block[line][..<arrow.lowerBound].split(separator: " ")
        let rest = block[line][arrow.upperBound...].split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard begin.count == 1, let startMs = milliseconds(begin[0]), let endMs = rest.first.flatMap(milliseconds),
            endMs > startMs
        else { throw .badTimes(line: firstLine + line - block.startIndex) }
        let title = block[(line + 1)...].map(plain).joined(separator: " ")
        return Chapter(startMs: startMs, endMs: endMs, title: title)
    }

    /// `MM:SS.mmm` or `HH:MM:SS.mmm`.
    private static func milliseconds(_ text: Substring) -> Int64? {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].utf8.count == 3, let fraction = number(halves[1]) else { return nil }
        let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false).map(number)
        guard (2...3).contains(fields.count) else { return nil }
        var seconds: Int64 = 0
        for (index, field) in fields.enumerated() {
            guard let field, field < 60 || index == 0 && fields.count == 3 else { return nil }
            seconds = seconds * 60 + field
        }
        return seconds * 1000 + fraction
    }

    private static func number(_ text: Substring) -> Int64? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// A line without its tags, with its escapes read.
    private static func plain(_ line: Substring) -> String {
        var text = ""
        var isTag = false
        for character in line {
            if character == "<" {
                isTag = true
            } else if character == ">", isTag {
                isTag = false
            } else if !isTag {
                text.append(character)
            }
        }
        for (escape, meaning) in [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")] {
            text = text.replacing(escape, with: meaning)
        }
        return text
    }
}
