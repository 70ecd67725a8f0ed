internal import HostSupport
internal import Tally
internal import TextEncoding

/// What the command line asks for.
struct ReplayRequest {
    let operands: [String]
    let listsPlugins: Bool
    let explains: Bool
    let quiet: Bool
    let json: Bool
    let summaryPath: String?
    let patience: Int
    let asRecorded: Bool
    /// Which runs are replayed.
    let criteria: RunCriteria
    /// With how many threads, and where it notes how far it has come.
    let batch: BatchRequest
    /// The output to compare with, and how.
    let baseline: (path: String, comparison: ComparisonRequest)?
    private let substitutes: [String: String]
    private let pace: (option: String, pace: ReplayPace)?
    /// Where the control socket is made; nil for none.
    let controlPath: String?
    /// Whether the replay waits before its first event.
    let startsPaused: Bool
    /// How long an archive that is followed may be silent, s; nil when none is followed.
    let idleLimit: Int?
    private let strict: Bool
    private let leavesOpen: Bool
    private let reorderWindow: Int

    init(_ arguments: CommandLineArguments) throws(UsageError) {
        operands = arguments.operands
        listsPlugins = arguments.isSet("list-plugins")
        explains = arguments.isSet("explain")
        quiet = arguments.isSet("quiet")
        json = arguments.isSet("json")
        summaryPath = arguments.value("summary")
        strict = arguments.isSet("strict")
        leavesOpen = arguments.isSet("leave-open")
        asRecorded = arguments.isSet("as-recorded")
        substitutes = try Self.substitutes(arguments.values("substitute"), asRecorded: asRecorded)
        patience = try arguments.integer("patience", in: 1...86_400) ?? ReplaySyntax.patience
        reorderWindow = try arguments.integer("reorder", in: 0...65_536) ?? ReplaySyntax.reorderWindow
        criteria = try RunCriteria(arguments)
        batch = try BatchRequest(arguments)
        baseline = try Self.baseline(arguments)
        pace = try Self.pace(arguments)
        controlPath = arguments.value("control")
        startsPaused = arguments.isSet("paused")
        if startsPaused, controlPath == nil {
            throw .missingArgument("--control PATH")
        }
        idleLimit = try Self.idleLimit(arguments, criteria)
        if operands.isEmpty, !listsPlugins, !explains {
            throw .missingArgument("ARCHIVE")
        }
        if let operand = operands.first, listsPlugins {
            throw .unexpectedArgument(operand, limit: 0)
        }
        if operands.count(where: { $0 == "-" }) > 1 {
            throw .badValue(option: "ARCHIVE", value: "-", expected: "standard input only once")
        }
    }

    /// What the command line says that an explanation shows.
    var settings: [EffectiveSetting] {
        var settings = operands.map { EffectiveSetting("archive", .string($0), "ARCHIVE") }
        switch pace?.pace {
        case .speed(let speed): settings.append(EffectiveSetting("replay.speed", .double(speed), "--speed"))
        case .rate(let rate): settings.append(EffectiveSetting("replay.rate", .double(rate), "--rate"))
        case nil: break
        }
        if let controlPath { settings.append(EffectiveSetting("control.socket", .string(controlPath), "--control")) }
        if strict { settings.append(EffectiveSetting("replay.strict", true, "--strict")) }
        if leavesOpen { settings.append(EffectiveSetting("leaveOpen", true, "--leave-open")) }
        if let summaryPath { settings.append(EffectiveSetting("summary", .string(summaryPath), "--summary")) }
        return settings
    }

    /// How to replay; the command line goes before the configuration.
    func options(_ settings: JSONObject) -> ReplayOptions {
        var options = ReplayOptions()
        options.pace =
            pace?.pace ?? settings["rate"]?.double.map { .rate($0) } ?? settings["speed"]?.double.map { .speed($0) }
        options.asRecorded = asRecorded
        options.substitutes = substitutes
        options.strict = strict || settings["strict"]?.bool ?? false
        options.reorderWindow = reorderWindow
        options.endsOpenRuns = !leavesOpen
        // A configuration that asks for strictness or a pace gets it.
        options.jobs = options.strict || options.pace != nil ? 1 : batch.jobs
        options.ordered = !batch.isUnordered
        return options
    }

    private static func pace(
        _ arguments: CommandLineArguments
    ) throws(UsageError) -> (option: String, pace: ReplayPace)? {
        var found: (option: String, pace: ReplayPace)?
        for (name, range) in [("speed", ReplaySyntax.speeds), ("rate", ReplaySyntax.rates)] {
            guard let number = try arguments.number(name) else { continue }
            let value = arguments.value(name) ?? ""
            guard range.contains(number) else {
                throw .badValue(option: "--" + name, value: value, expected: "a number " + ReplaySyntax.text(range))
            }
            if let found {
                throw .badValue(option: "--" + name, value: value, expected: "\(found.option) or --\(name), not both")
            }
            found = ("--" + name, name == "speed" ? .speed(number) : .rate(number))
        }
        return found
    }

    private static func idleLimit(
        _ arguments: CommandLineArguments,
        _ criteria: RunCriteria
    ) throws(UsageError) -> Int? {
        let limit = try arguments.integer("idle-limit", in: 1...86_400)
        guard arguments.isSet("follow") else {
            guard limit == nil else { throw .missingArgument("--follow") }
            return nil
        }
        guard arguments.operands.count == 1, arguments.operands.first != "-" else {
            throw .badValue(
                option: "--follow",
                value: arguments.operands.joined(separator: " "),
                expected: "one archive, a file"
            )
        }
        guard !criteria.needsContent else {
            throw .badValue(
                option: "--follow",
                value: arguments.operands[0],
                expected: "no --where, --asset, --session, --from or --to with it: they read the whole archive first"
            )
        }
        return limit ?? ReplaySyntax.idleLimit
    }

    private static func baseline(
        _ arguments: CommandLineArguments
    ) throws(UsageError) -> (path: String, comparison: ComparisonRequest)? {
        let comparison = try ComparisonRequest(arguments)
        if let path = arguments.value("baseline") { return (path, comparison) }
        for option in ComparisonOptions.rules {
            if let value = arguments.value(option.name) {
                throw .badValue(option: "--" + option.name, value: value, expected: "--baseline with it")
            }
        }
        return nil
    }

    private static func substitutes(_ texts: [String], asRecorded: Bool) throws(UsageError) -> [String: String] {
        var substitutes: [String: String] = [:]
        for text in texts {
            let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty, asRecorded else {
                let expected =
                    asRecorded ? "RECORDED=PLUGIN, such as mine=org.example.tracker" : "--as-recorded with it"
                throw .badValue(option: "--substitute", value: text, expected: expected)
            }
            substitutes[words[0]] = words[1]
        }
        return substitutes
    }
}
