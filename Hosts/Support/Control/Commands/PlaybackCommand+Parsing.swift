internal import Tally

extension PlaybackCommand {
    /// Reads a command for the player; nil when the name is none of these.
    init?(_ arguments: ControlArguments) throws(ControlError) {
        switch arguments.name {
        case "pause": self = .pause(milliseconds: arguments.words.isEmpty ? nil : try arguments.seconds())
        case "step": self = .step(arguments.words.isEmpty ? 1 : try arguments.count(in: 1...1_000_000_000))
        case "resume":
            try arguments.none()
            self = .play
        case "play", "stop", "next", "skip-ad", "click-ad":
            try arguments.none()
            self = ["play": .play, "next": .next, "skip-ad": .skipAd, "click-ad": .clickAd][arguments.name] ?? .stop
        case "load": self = .load(try arguments.one("a file or an address"))
        case "seek": self = .seek(milliseconds: try arguments.seconds())
        case "rate": self = .rate(try arguments.number(in: 0.01...16))
        case "volume": self = .volume(try arguments.number(in: 0...1))
        case "mute": self = .mute(try arguments.choice(["on", "off"]) == "on")
        case "fullscreen": self = .fullscreen(try arguments.choice(["on", "off"]) == "on")
        case "size": self = try Self.size(arguments)
        case "connection": self = .connection(try arguments.one("one word such as wifi, cellular or none"))
        case "audio-only":
            let word = try arguments.choice(["on", "off", "auto"])
            self = .audioOnly(word == "auto" ? nil : word == "on")
        case "pin": self = .pin(bitrate: try Self.bitrate(arguments))
        case "audio": self = .audio(try arguments.track(TrackName.sound))
        case "subtitles": self = .subtitles(try arguments.track(TrackName.subtitles))
        case "interrupt":
            let reason = try arguments.one("one word: a reason such as call, or end")
            self = reason == "end" ? .interruptEnd : .interrupt(reason)
        case "custom": self = try Self.custom(arguments)
        case "consent": self = try Self.consent(arguments)
        default: return nil
        }
    }

    private static func size(_ arguments: ControlArguments) throws(ControlError) -> PlaybackCommand {
        let words = arguments.words
        let sides = (words.first ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard words.count == 1, sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
        else { throw arguments.wrong("width and height such as 1280x720") }
        return .size(width: width, height: height)
    }

    private static func bitrate(_ arguments: ControlArguments) throws(ControlError) -> Int64? {
        let words = arguments.words
        if words == ["auto"] { return nil }
        guard words.count == 1, let bitrate = Int64(words[0]), (1...Int64(UInt32.max)).contains(bitrate) else {
            throw arguments.wrong("a bitrate in bit/s, or auto")
        }
        return bitrate
    }

    private static func consent(_ arguments: ControlArguments) throws(ControlError) -> PlaybackCommand {
        let words = arguments.words
        guard (1...2).contains(words.count), let state = ConsentState(rawValue: words[0]), words.last != "" else {
            throw arguments.wrong("in, out or pending, and perhaps the name of a tracker")
        }
        return .consent(state, tracker: words.count == 2 ? words[1] : nil)
    }

    private static func custom(_ arguments: ControlArguments) throws(ControlError) -> PlaybackCommand {
        guard let name = arguments.words.first, !name.isEmpty else {
            throw arguments.wrong("a name, and key=value for each attribute")
        }
        var attributes: [Attribute] = []
        for word in arguments.words.dropFirst() {
            guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
                throw ControlError(kind: .invalidArgument, "\"\(word)\" is no attribute; write key=value")
            }
            let value = String(word[word.index(after: equals)...])
            attributes.append(Attribute(name: String(word[..<equals]), value: Self.value(value)))
        }
        return .custom(name, attributes)
    }

    private static func value(_ text: String) -> PlainValue {
        if let number = Int64(text) { return .int(number) }
        if let number = Double(text), number.isFinite { return .double(number) }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return .string(text)
        }
    }
}
