package import Tally
package import TextEncoding

extension ControlCommand {
    /// Reads a command's words.
    ///
    /// - Throws: ``ControlError`` with the code `unknown_command` or `invalid_argument`.
    package init(words: [String]) throws(ControlError) {
        guard let name = words.first else { throw ControlError(kind: .unknownCommand, "a command is missing") }
        let arguments = ControlArguments(name, Array(words.dropFirst()))
        if let playback = try PlaybackCommand(arguments) {
            self = .playback(playback)
            return
        }
        switch name {
        case "quit":
            try arguments.none()
            self = .playback(.stop)
        case "plugin": self = .plugin(try PluginOrder(arguments))
        case "enable": self = .plugin(.enable(try arguments.plugin()))
        case "disable": self = .plugin(.disable(try arguments.plugin()))
        case "configure": self = .plugin(try PluginOrder(configure: arguments))
        case "tap": self = .tap(try TapFilter(arguments))
        case "drain": self = .drain(milliseconds: arguments.words.isEmpty ? 10_000 : try arguments.seconds())
        case "show": self = .showRun(try arguments.one("the name of a run"))
        case "reload", "untap", "stats", "erase", "runs", "help":
            try arguments.none()
            let commands: [String: ControlCommand] = [
                "reload": .reload, "untap": .untap, "stats": .stats, "erase": .erase, "runs": .runs,
            ]
            self = commands[name] ?? .help
        default: throw .unknown("command", name, among: ControlVocabulary.names)
        }
    }

    /// A number of seconds as milliseconds; nil when it is none, negative, or more than a year.
    package static func milliseconds(seconds text: some StringProtocol) -> Int64? {
        ControlArguments.milliseconds(text)
    }

    /// Reads a command as a message has it: its words as an array, in which an argument may be any JSON value.
    package init(_ value: JSONValue) throws(ControlError) {
        guard let elements = value.array else {
            throw ControlError(kind: .invalidMessage, "\"command\" has to be an array of words, found \(value.kind)")
        }
        try self.init(words: elements.map { $0.string ?? $0.canonicalText })
    }
}

extension PluginOrder {
    init(_ all: ControlArguments) throws(ControlError) {
        guard let verb = all.words.first else {
            throw all.wrong("one of " + ControlVocabulary.pluginNames.joined(separator: ", "))
        }
        let arguments = ControlArguments("plugin " + verb, Array(all.words.dropFirst()))
        switch verb {
        case "list":
            try arguments.none()
            self = .list
        case "show": self = .show(try arguments.plugin())
        case "stats": self = .stats(arguments.words.isEmpty ? nil : try arguments.plugin())
        case "enable": self = .enable(try arguments.plugin())
        case "disable": self = .disable(try arguments.plugin())
        case "load": self = try PluginOrder(load: arguments)
        case "replace": self = .replace(file: try arguments.one("the path of a plugin file"))
        case "release": self = .release(sha256: try arguments.one("the hash of a file, or its first 8 digits"))
        case "command":
            let words = arguments.words
            guard (2...3).contains(words.count), !words[0].isEmpty, !words[1].isEmpty else {
                throw arguments.wrong("the name of a plugin, of its command, and perhaps JSON")
            }
            let json = words.count == 3 ? try arguments.json(words[2]) : [:]
            self = .command(words[0], command: words[1], arguments: json)
        default: throw .unknown("command plugin", verb, among: ControlVocabulary.pluginNames)
        }
    }

    init(configure arguments: ControlArguments) throws(ControlError) {
        guard arguments.words.count == 2 else { throw arguments.wrong("the name of a plugin and a JSON object") }
        self = .configure(arguments.words[0], try arguments.object(arguments.words[1]))
    }

    private init(load arguments: ControlArguments) throws(ControlError) {
        let words = arguments.words
        guard let first = words.first, !first.isEmpty, words.count <= 3 else {
            throw arguments.wrong("the path of a file, or a plugin and perhaps a name and JSON")
        }
        if Self.isFile(first) {
            guard words.count == 1 else { throw arguments.wrong("nothing behind the path of a file") }
            self = .loadFile(first)
            return
        }
        let hasName = words.count > 1 && !words[1].hasPrefix("{")
        let rest = words.dropFirst(hasName ? 2 : 1)
        guard rest.count <= 1 else { throw arguments.wrong("a plugin and perhaps a name and JSON") }
        var configuration: JSONValue = [:]
        if let text = rest.first { configuration = try arguments.object(text) }
        let short = first.split(separator: ".").last.map(String.init) ?? first
        self = .load(first, name: hasName ? words[1] : short, configuration: configuration)
    }

    /// Whether a word is the path of a plugin file, and no name of a plugin.
    static func isFile(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(".tallyplugin.so") }
}

extension TapFilter {
    /// Reads `records,beacons plugin=new-relic* name=CONTENT_* session=1 limit=10`.
    init(_ arguments: ControlArguments) throws(ControlError) {
        for (index, word) in arguments.words.enumerated() {
            guard let equals = word.firstIndex(of: "=") else {
                guard index == 0 else { throw Self.wrong(arguments) }
                let words = word.split(separator: ",", omittingEmptySubsequences: false)
                kinds = Set(words.compactMap { Kind(rawValue: String($0)) })
                guard words.allSatisfy({ Kind(rawValue: String($0)) != nil }) else { throw Self.wrong(arguments) }
                continue
            }
            let value = String(word[word.index(after: equals)...])
            guard value.utf8.count <= 255 else { throw arguments.wrong("patterns of at most 255 bytes") }
            switch word[..<equals] {
            case "plugin": plugin = Glob(value)
            case "name": name = Glob(value)
            case "session": session = Glob(value)
            case "limit":
                guard let number = Int(value), (1...1_000_000).contains(number) else {
                    throw arguments.wrong("a limit from 1 to 1000000 in a second")
                }
                limit = number
            default: throw Self.wrong(arguments)
            }
        }
    }

    private static func wrong(_ arguments: ControlArguments) -> ControlError {
        let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        return arguments.wrong("kinds (\(kinds)) and then any of plugin=, name=, session=, limit=")
    }
}

extension ControlError {
    /// A word that is not known, with what was probably meant.
    static func unknown(_ what: String, _ name: String, among known: [String]) -> ControlError {
        let nearest = NearestName.among(known, to: name).map { "; did you mean \($0)?" }
        let hint = nearest ?? "; known: " + known.joined(separator: ", ")
        return ControlError(kind: .unknownCommand, "unknown \(what) \"\(name)\"" + hint)
    }
}
