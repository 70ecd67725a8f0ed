internal import LoopbackServer
internal import TextEncoding

/// What is wrong with one file of a stream: its bytes, or how the server answers.
struct StreamDamage: CustomStringConvertible, Sendable {
    enum Part {
        case content(ContentDamage, other: String, SplitMix64)
        /// Of so many first requests, nil stands for all.
        case answer(Faults, first: Int?)
    }

    let file: String
    let part: Part

    var description: String {
        switch part {
        case .content(.otherFile, let other, _): "\(file) is \(other)"
        case .content(let damage, _, _): "\(file): \(damage)"
        case .answer(let faults, let first):
            "\(file) \(first.map { "at first \($0)x" } ?? "always") \(Self.text(faults))"
        }
    }

    private static func text(_ faults: Faults) -> String {
        let parts: [(String, (any CustomStringConvertible)?)] = [
            ("latency", faults.latencyMilliseconds), ("status", faults.status), ("cut", faults.cutAfter),
            ("stall", faults.stallAfter), ("type", faults.contentType), ("length", faults.contentLength),
            ("to", faults.redirectsTo), ("raw", faults.rawAnswer?.prefix(20)),
            ("refused", faults.refuses ? "" : nil),
        ]
        return parts.compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }

    /// The kind of a round's stream and one to three damages, the same for a seed everywhere.
    static func chosen(seed: UInt64, of media: StreamMedia) -> (kind: StreamKind, damages: [StreamDamage]) {
        var numbers = SplitMix64(seed: seed)
        let kind = StreamKind.allCases[Int(seed % UInt64(StreamKind.allCases.count))]
        let names = media.names(of: kind)
        let texts = names.filter(isText)
        let others = names.filter { !isText($0) }
        let damages = (0..<[1, 1, 1, 2, 3][Int.random(in: 0..<5, using: &numbers)]).map { _ in
            // Half of it hits a playlist or manifest, of which there are few.
            let group = Bool.random(using: &numbers) ? texts : others
            let file = group.randomElement(using: &numbers) ?? kind.entry
            return StreamDamage(file: file, part: part(for: file, names, &numbers))
        }
        return (kind, damages)
    }

    private static func isText(_ name: String) -> Bool { name.hasSuffix(".m3u8") || name.hasSuffix(".mpd") }

    private static func part(for file: String, _ names: [String], _ numbers: inout SplitMix64) -> Part {
        guard Int.random(in: 0..<5, using: &numbers) < 3 else {
            let first = [nil, nil, 1, 2, 3].randomElement(using: &numbers) ?? nil
            return .answer(faults(for: file, names, &numbers), first: first)
        }
        let damage = ContentDamage.all(ofText: isText(file)).randomElement(using: &numbers) ?? .emptied
        let other = names.randomElement(using: &numbers) ?? file
        return .content(damage, other: other, SplitMix64(seed: numbers.next()))
    }

    private static let types = [
        "text/html", "text/plain", "video/mp4", "video/mp2t", "application/json", "", "application/dash+xml",
        "application/vnd.apple.mpegurl", "nonsense",
    ]

    private static let rawAnswers = [
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/9.9 200 OK\r\nContent-Length: 3\r\n\r\nabc", "garbage\r\n\r\n", "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc", "HTTP/1.1 999 What\r\n\r\n", "\0\0\0\0",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-1/0\r\nContent-Length: 1\r\n\r\na",
    ]

    private static func faults(for file: String, _ names: [String], _ numbers: inout SplitMix64) -> Faults {
        let bytes = Int.random(in: 0...8000, using: &numbers)
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0, 1: return Faults(status: [404, 403, 410, 401].randomElement(using: &numbers))
        case 2, 3: return Faults(status: [500, 503, 502, 429, 204, 416, 304, 301].randomElement(using: &numbers))
        case 4: return Faults(latencyMilliseconds: [200, 800, 1500, 60_000].randomElement(using: &numbers))
        case 5: return Faults(cutAfter: bytes)
        case 6: return Faults(stallAfter: bytes)
        case 7: return Faults(refuses: true)
        case 8: return Faults(rawAnswer: rawAnswers.randomElement(using: &numbers))
        case 9: return Faults(contentType: types.randomElement(using: &numbers))
        case 10: return Faults(contentLength: bytes)
        default:
            // In a circle, and to what is there, is another file or is missing.
            let targets = [file, names.randomElement(using: &numbers) ?? "", "missing", "http://127.0.0.1:1/refused"]
            let target = targets.randomElement(using: &numbers) ?? file
            return Faults(status: [301, 302, 307].randomElement(using: &numbers), redirectsTo: target)
        }
    }
}
