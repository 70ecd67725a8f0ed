internal import HostSupport
internal import Tally
internal import TextEncoding

/// What the command line asks for.
struct ReplayRequest {
    let arguments: CommandLineArguments
    /// Which runs are replayed.
    let criteria: RunCriteria
    /// The output to compare with, and how.
    let baseline: (path: String, comparison: ComparisonRequest)?

    init(_ arguments: CommandLineArguments) throws(UsageError) {
        self.arguments = arguments
        criteria = RunCriteria(arguments)
        try BatchOptions.check(arguments)
        let comparison = try ComparisonRequest(arguments)
        baseline = arguments[ReplaySyntax.baseline].map { ($0, comparison) }
        let operands = arguments.operands
        if !listsPlugins, !explains { try ShardOptions.check(arguments) }
        if let operand = operands.first, listsPlugins { throw .unexpectedArgument(operand, limit: 0) }
        if arguments[ReplaySyntax.follow] { try checkFollowing(operands) }
    }

    var operands: [String] { arguments.operands }
    var listsPlugins: Bool { arguments[HostSettings.listPlugins] }
    var explains: Bool { arguments[HostSettings.explain] }
    var quiet: Bool { arguments[HostSettings.quiet] }
    var json: Bool { arguments[HostSettings.json] }
    var asRecorded: Bool { arguments[ReplaySyntax.asRecorded] }
    var summaryPath: String? { arguments[ReplaySyntax.summary] }
    /// How many seconds a reporter may do nothing at the end.
    var patience: Int { arguments[ReplaySyntax.patience] }
    /// Where the control socket is made; nil for none.
    var controlPath: String? { arguments[ReplaySyntax.control] }
    /// Whether the replay waits before its first event.
    var startsPaused: Bool { arguments[ReplaySyntax.paused] }
    /// How long an archive that is followed may be silent, s; nil when none is followed.
    var idleLimit: Int? { arguments[ReplaySyntax.follow] ? arguments[ReplaySyntax.idleLimit] : nil }

    /// How to replay; the command line goes before the configuration.
    func options(_ settings: JSONObject) -> ReplayOptions {
        var options = ReplayOptions()
        options.pace = pace() ?? pace(settings)
        options.asRecorded = asRecorded
        for (recorded, plugin) in arguments[ReplaySyntax.substitute] { options.substitutes[recorded] = plugin }
        options.strict = arguments[ReplaySyntax.strict, in: settings]
        options.damagedLimit = arguments[ReplaySyntax.maxDamaged]
        options.reorderWindow = arguments[ReplaySyntax.reorder]
        options.leavesOutRepeated = !arguments[ReplaySyntax.keepRepeated]
        options.endsOpenRuns = !arguments[ReplaySyntax.leaveOpen]
        // A configuration that asks for strictness or a pace gets it.
        options.jobs = options.strict || options.pace != nil ? 1 : arguments[BatchOptions.jobs]
        options.ordered = !arguments[BatchOptions.unordered]
        options.openRuns = arguments[BatchOptions.openRuns]
        options.runIdleLimit = arguments[ReplaySyntax.runIdleLimit].map { Int64($0) * 1_000_000 }
        return options
    }

    /// The pace of the command line, or else of the configuration; one of the two options goes before both keys.
    private func pace(_ settings: JSONObject = JSONObject()) -> ReplayPace? {
        arguments[ReplaySyntax.rate, in: settings].map { .rate($0) }
            ?? arguments[ReplaySyntax.speed, in: settings].map { .speed($0) }
    }

    private func checkFollowing(_ operands: [String]) throws(UsageError) {
        guard operands.count == 1, let archive = operands.first, archive != "-", !TopicPipe.names(archive) else {
            throw .badValue(option: "--follow", value: operands.joined(separator: " "), expected: "one archive, a file")
        }
        guard !criteria.needsContent else {
            throw .badValue(
                option: "--follow",
                value: operands[0],
                expected: "no --where, --asset, --session, --from or --to with it: they read the whole archive first"
            )
        }
    }
}
