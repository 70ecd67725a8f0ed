internal import PluginKit

/// One output as a line for people: time, session, who says it, what, and some attributes.
struct ConsoleLine {
    let selection: AttributeSelection
    var hasColour = false

    /// Appends the line with its end.
    func append(_ output: OutputView, to text: inout String) {
        let origin = output.origin
        text += paint(Self.clock(origin.time), .dim) + "  "
        text += Self.pad(origin.session == 0 ? "" : "s\(origin.session)", to: 4) + "  "
        let who = origin.instance.count > 0 ? ConsoleText.printable(origin.instance.string) : "player"
        text += paint(Self.pad(who, to: 16), .dim) + "  "
        let (what, colour, rest) = content(output)
        text += paint(Self.pad(what, to: 24), colour)
        text += rest.isEmpty ? "\n" : "  " + rest + "\n"
    }

    private func content(_ output: OutputView) -> (what: String, colour: Colour, rest: String) {
        if let record = output.record {
            return (ConsoleText.printable(record.kind.string), .green, attributes(record.attributes))
        }
        if let beacon = output.beacon {
            let size = "(\(beacon.body.count) bytes, \(beacon.records.count) records)"
            let url = ConsoleText.printable(beacon.url.string)
            return (ConsoleText.printable(beacon.method.string) + " beacon", .cyan, "\(url) \(size)")
        }
        switch output.kind {
        case .event?:
            guard let event = output.event else { break }
            return (ConsoleText.printable(event.typeName.string), .plain, attributes(event.attributes))
        case .sessionBegin?: return ("session begins", .bold, "")
        case .sessionEnd?: return ("session ends", .bold, "")
        case .runBegin?: return ("run begins", .bold, ConsoleText.printable(output.origin.playerRunID.string))
        case .runEnd?: return ("run ends", .bold, ConsoleText.printable(output.origin.playerRunID.string))
        case .gap?: return ("outputs lost", .red, "a full queue cost \(output.lostCount) outputs before this line")
        default: break
        }
        return ("unknown output", .plain, "")
    }

    private func attributes(_ list: AttributeList) -> String {
        selection.pick(from: list)
            .map { ConsoleText.printable($0.name.string) + "=" + ConsoleText.value($0.value) }
            .joined(separator: " ")
    }

    // MARK: - Columns and colours

    private enum Colour: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case cyan = "36"
    }

    private func paint(_ text: String, _ colour: Colour) -> String {
        guard hasColour, colour != .plain else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    /// Minutes, seconds and milliseconds; minutes go on above 59.
    private static func clock(_ microseconds: Int64) -> String {
        let milliseconds = max(microseconds, 0) / 1000
        let minutes = digits(milliseconds / 60_000, 2)
        return "\(minutes):\(digits(milliseconds / 1000 % 60, 2)).\(digits(milliseconds % 1000, 3))"
    }

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(width - text.count, 0)) + text
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}

/// Texts of plugins and players as a terminal may show them: no control character ever gets through.
enum ConsoleText {
    private static let longest = 60

    /// The text as a terminal may show it, cut when it is long.
    static func printable(_ text: String) -> String {
        PrintableText.escaped(text, longest: longest)
    }

    /// A value in short form; texts with spaces in them are quoted.
    static func value(_ value: ValueView) -> String {
        switch value {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): quoted(printable(text.string))
        case .bytes(let bytes): "(\(bytes.count) bytes)"
        case .list(let list): "[" + list.map { self.value($0.value) }.joined(separator: ",") + "]"
        case .unknown: "?"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.isEmpty || text.contains(" ") ? "\"\(text)\"" : text
    }
}
