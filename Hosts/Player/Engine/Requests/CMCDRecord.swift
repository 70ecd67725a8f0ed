internal import TextEncoding

/// What a player says with a request of the media, itself and its session.
///
/// Version 1 is CTA-5004 of September 2020, version 2 is CTA-5004-B of April 2026. What is nil is left out.
package struct CMCDRecord: Sendable, Equatable {
    /// What an object is (`ot`).
    package enum ObjectType: String, Sendable {
        case manifest = "m"
        case audio = "a"
        case video = "v"
        case muxed = "av"
        case initialization = "i"
        case captions = "c"
        case key = "k"
        case other = "o"

        /// Whether it has media with a bitrate.
        var isMedia: Bool { self == .audio || self == .video || self == .muxed }
    }

    /// How the media is packaged (`sf`).
    package enum Format: String, Sendable {
        case dash = "d"
        case hls = "h"
        case smooth = "s"
        case other = "o"
    }

    /// What the viewer sees (`sta`, version 2).
    package enum State: String, Sendable {
        case starting = "s"
        case playing = "p"
        case seeking = "k"
        case rebuffering = "r"
        case paused = "a"
        case ended = "e"
    }

    // MARK: - The object

    /// What it is.
    package var objectType: ObjectType?
    /// Its bitrate, bits per second.
    package var bitrate: Int64?
    /// That of the manifest's largest form.
    package var topBitrate: Int64?
    /// That of its smallest form.
    package var lowestBitrate: Int64?
    /// Its length, ms.
    package var durationMs: Int64?

    // MARK: - The request

    /// Media buffered ahead, ms.
    package var bufferMs: Int64?
    /// How much is to be buffered, ms.
    package var targetBufferMs: Int64?
    /// When the object's first sample is due, ms from now.
    package var deadlineMs: Int64?
    /// Measured throughput, bits per second.
    package var throughput: Int64?
    /// Bitrate of what is shown, bits per second.
    package var shownBitrate: Int64?
    /// Whether the object is needed at once.
    package var isUrgent = false
    /// How many requests of the session said something before.
    package var sequence: Int64?
    /// What the viewer sees.
    package var state: State?
    /// The playhead of a recording, ms.
    package var playheadMs: Int64?
    /// Frames dropped since the load.
    package var droppedFrames: Int64?

    // MARK: - The session

    /// What names the content, over sessions.
    package var contentID: String?
    /// What names the session.
    package var sessionID: String?
    /// How the media is packaged.
    package var format: Format?
    /// Whether the stream is live.
    package var isLive: Bool?
    /// From the wish to play to the first media that moves, ms.
    package var startDelayMs: Int64?

    // MARK: - The status

    /// Whether the buffer ran dry since the request before.
    package var hasStarved = false
    /// Lengths of the starvations that ended since then, ms.
    package var starvationsMs: [Int64] = []
    /// How often it ran dry in the session.
    package var starvationCount: Int64?
    /// How long that was in all, ms.
    package var starvedMs: Int64?
    /// The playback rate; 0 while nothing moves.
    package var rate: Double?

    /// Nothing is known.
    package init() {}

    /// The headers of a version, each with its keys in order; one without keys is left out.
    package func headers(version: Int) -> [RequestHeader] {
        Part.allCases.compactMap { part in
            let text = text(members(version: version).filter { $0.part == part })
            return text.isEmpty ? nil : RequestHeader(name: part.rawValue, value: text)
        }
    }

    /// All keys of a version in their order, as one text.
    package func payload(version: Int) -> String { text(members(version: version)) }

    /// An address with the keys as its argument `CMCD`, before a fragment.
    package func added(to url: String, version: Int) -> String {
        let payload = payload(version: version)
        guard !payload.isEmpty else { return url }
        let place = url.firstIndex(of: "#") ?? url.endIndex
        let mark = url[..<place].contains("?") ? "&" : "?"
        return String(url[..<place]) + mark + Self.argument + Self.encoded(payload) + String(url[place...])
    }

    /// An address without its last argument `CMCD`.
    static func removed(from url: String) -> String {
        let place = url.firstIndex(of: "#") ?? url.endIndex
        guard let range = url[..<place].ranges(of: argument).last, range.lowerBound > url.startIndex,
            "?&".contains(url[url.index(before: range.lowerBound)])
        else { return url }
        let end = url[range.upperBound..<place].firstIndex(of: "&") ?? place
        // What stands behind takes the place of the argument.
        if end < place { return String(url[..<range.lowerBound] + url[url.index(after: end)...]) }
        return String(url[..<url.index(before: range.lowerBound)] + url[end...])
    }

    /// The headers that there may be.
    static var headerNames: [String] { Part.allCases.map(\.rawValue) }

    // MARK: - Text

    private static let argument = "CMCD="

    private enum Part: String, CaseIterable {
        case object = "CMCD-Object"
        case request = "CMCD-Request"
        case session = "CMCD-Session"
        case status = "CMCD-Status"
    }

    private struct Member {
        let key: String
        let part: Part
        let value: String
    }

    private func text(_ members: [Member]) -> String {
        members.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
            .joined(separator: ",")
    }

    private func members(version: Int) -> [Member] {
        var members: [Member] = []
        func add(_ key: String, _ part: Part, _ value: String?) {
            if let value { members.append(Member(key: key, part: part, value: value)) }
        }
        // Version 2 has lists where media of several kinds may differ.
        func listed(_ number: Int64?) -> String? {
            guard let number else { return nil }
            let kind = objectType.flatMap { $0.isMedia ? ";" + $0.rawValue : nil } ?? ""
            return version == 1 ? String(number) : "(\(number)\(kind))"
        }
        add("br", .object, listed(bitrate.flatMap(StructuredText.kilobits)))
        add("d", .object, durationMs.flatMap(StructuredText.number))
        add("ot", .object, objectType?.rawValue)
        add("tb", .object, listed(topBitrate.flatMap(StructuredText.kilobits)))
        add("bl", .request, listed(bufferMs.flatMap(StructuredText.hundreds)))
        add("dl", .request, deadlineMs.flatMap(StructuredText.hundreds).map(String.init))
        let throughput = throughput.flatMap(StructuredText.hundredKilobits)
        add("mtp", .request, throughput.map { version == 1 ? String($0) : "(\($0))" })
        add("su", .request, isUrgent ? "" : nil)
        add("cid", .session, contentID.flatMap { StructuredText.string($0, longest: version == 1 ? 64 : 128) })
        add("sf", .session, format?.rawValue)
        add("sid", .session, sessionID.flatMap { StructuredText.string($0, longest: 64) })
        add("st", .session, isLive.map { $0 ? "l" : "v" })
        add("bs", .status, hasStarved ? "" : nil)
        add("pr", .status, rate.flatMap(Self.rate))
        guard version > 1 else { return members }
        add("lb", .object, listed(lowestBitrate.flatMap(StructuredText.kilobits)))
        add("dfa", .request, droppedFrames.flatMap(StructuredText.number))
        add("pb", .request, listed(shownBitrate.flatMap(StructuredText.kilobits)))
        add("pt", .request, playheadMs.flatMap(StructuredText.number))
        add("sn", .request, sequence.flatMap(StructuredText.number))
        add("sta", .request, state?.rawValue)
        add("tbl", .request, targetBufferMs.flatMap(StructuredText.hundreds).map { "(\($0))" })
        add("msd", .session, startDelayMs.flatMap(StructuredText.number))
        add("v", .session, String(version))
        let starvations = starvationsMs.compactMap(StructuredText.number).joined(separator: " ")
        add("bsd", .status, starvations.isEmpty ? nil : "(\(starvations))")
        add("bsa", .status, starvationCount.flatMap(StructuredText.number).map { "(\($0))" })
        add("bsda", .status, starvedMs.flatMap(StructuredText.number).map { "(\($0))" })
        return members
    }

    /// A rate; nil for 1, which is left out.
    private static func rate(_ rate: Double) -> String? {
        guard rate >= 0, rate < 1_000_000 else { return nil }
        let thousandths = Int64((rate * 1000).rounded())
        return thousandths == 1000 ? nil : StructuredText.decimal(thousandths: thousandths)
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
