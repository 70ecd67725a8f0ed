internal import HostSupport
internal import Tally

/// Reads one line of a script.
struct ScriptLineParser {
    /// What is wrong with the line, and what to write instead.
    struct Problem: Error {
        let text: String
    }

    private static let commands = [
        "pause", "play", "seek", "rate", "mute", "volume", "pin", "enable", "disable", "interrupt", "custom",
        "fullscreen", "size", "load",
        "next", "skip-ad",
        "click-ad", "stop",
    ]

    /// The trackers that can be enabled and disabled.
    let trackers: [String]

    /// The line's time and command; nil when it has none.
    func parse(_ line: some StringProtocol) throws(Problem) -> (time: ScriptTime, command: ScriptCommand)? {
        let words: [String]
        do throws(ScriptWords.OpenQuote) {
            words = try ScriptWords(line).words
        } catch {
            throw Problem(text: "the quotes are not closed")
        }
        guard let first = words.first else { return nil }
        guard let time = ScriptTime(Substring(first)) else {
            throw Problem(
                text: "\"\(first)\" is no time; a line begins with seconds of the playhead, such as 5, "
                    + "or of the clock, such as @12.5"
            )
        }
        guard words.count > 1 else { throw Problem(text: "a command is missing behind the time") }
        return (time, try command(words[1], Array(words.dropFirst(2))))
    }

    private func command(_ name: String, _ arguments: [String]) throws(Problem) -> ScriptCommand {
        switch name {
        case "pause" where arguments.isEmpty: return .pause(milliseconds: nil)
        case "pause": return .pause(milliseconds: try seconds(name, arguments))
        case "load":
            guard arguments.count == 1, !arguments[0].isEmpty else {
                throw wrong(name, arguments, "a file or an address")
            }
            return .load(arguments[0])
        case "play", "stop", "next", "skip-ad", "click-ad":
            guard arguments.isEmpty else { throw wrong(name, arguments, "nothing behind it") }
            return ["play": .play, "next": .next, "skip-ad": .skipAd, "click-ad": .clickAd][name] ?? .stop
        case "seek": return .seek(milliseconds: try seconds(name, arguments))
        case "rate": return .rate(try number(name, arguments, in: 0.01...16))
        case "volume": return .volume(try number(name, arguments, in: 0...1))
        case "mute": return .mute(try choice(name, arguments, ["on", "off"]) == "on")
        case "fullscreen": return .fullscreen(try choice(name, arguments, ["on", "off"]) == "on")
        case "size": return try size(arguments)
        case "pin": return .pin(bitrate: try bitrate(arguments))
        case "enable": return .enable(try tracker(name, arguments))
        case "disable": return .disable(try tracker(name, arguments))
        case "interrupt":
            guard arguments.count == 1, let reason = arguments.first, !reason.isEmpty else {
                throw wrong(name, arguments, "one word: a reason such as call, or end")
            }
            return reason == "end" ? .interruptEnd : .interrupt(reason)
        case "custom": return try custom(arguments)
        default:
            let nearest = NearestName.among(Self.commands, to: name).map { "; did you mean \($0)?" }
            throw Problem(
                text: "unknown command \"\(name)\"" + (nearest ?? "; known: " + Self.commands.joined(separator: ", "))
            )
        }
    }

    // MARK: - Arguments

    private func seconds(_ name: String, _ arguments: [String]) throws(Problem) -> Int64 {
        guard arguments.count == 1, let milliseconds = ScriptTime.seconds(arguments[0]) else {
            throw wrong(name, arguments, "a number of seconds")
        }
        return milliseconds
    }

    private func number(
        _ name: String,
        _ arguments: [String],
        in range: ClosedRange<Double>
    ) throws(Problem) -> Double {
        guard arguments.count == 1, let number = Double(arguments[0]), range.contains(number) else {
            throw wrong(name, arguments, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func choice(_ name: String, _ arguments: [String], _ words: [String]) throws(Problem) -> String {
        guard arguments.count == 1, words.contains(arguments[0]) else {
            throw wrong(name, arguments, words.joined(separator: " or "))
        }
        return arguments[0]
    }

    private func size(_ arguments: [String]) throws(Problem) -> ScriptCommand {
        let sides = (arguments.first ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard arguments.count == 1, sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
        else { throw wrong("size", arguments, "width and height such as 1280x720") }
        return .size(width: width, height: height)
    }

    private func bitrate(_ arguments: [String]) throws(Problem) -> Int64? {
        if arguments == ["auto"] { return nil }
        guard arguments.count == 1, let bitrate = Int64(arguments[0]), (1...Int64(UInt32.max)).contains(bitrate) else {
            throw wrong("pin", arguments, "a bitrate in bit/s, or auto")
        }
        return bitrate
    }

    private func tracker(_ name: String, _ arguments: [String]) throws(Problem) -> String {
        guard arguments.count == 1 else { throw wrong(name, arguments, "the name of a tracker") }
        guard trackers.contains(arguments[0]) else {
            let known = trackers.isEmpty ? "none is among the plugins" : "there are " + trackers.joined(separator: ", ")
            throw Problem(text: "no tracker has the name \"\(arguments[0])\"; \(known)")
        }
        return arguments[0]
    }

    private func custom(_ arguments: [String]) throws(Problem) -> ScriptCommand {
        guard let name = arguments.first, !name.isEmpty else {
            throw wrong("custom", arguments, "a name, and key=value for each attribute")
        }
        var attributes: [ScriptCommand.Attribute] = []
        for argument in arguments.dropFirst() {
            guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
                throw Problem(text: "\"\(argument)\" is no attribute; write key=value")
            }
            let value = String(argument[argument.index(after: equals)...])
            attributes.append(ScriptCommand.Attribute(name: String(argument[..<equals]), value: Self.value(value)))
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

    private func wrong(_ name: String, _ arguments: [String], _ expected: String) -> Problem {
        let found = arguments.isEmpty ? "nothing" : "\"" + arguments.joined(separator: " ") + "\""
        return Problem(text: "\(name) needs \(expected), found \(found)")
    }
}
