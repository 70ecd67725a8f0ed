internal import HostSupport
internal import TextEncoding

/// What the command line and the configuration may say.
enum CollectorSyntax {
    static let syntax = CommandLineSyntax(
        program: "tally-collector",
        summary: "Takes reports of players elsewhere, makes player runs of them, archives them and runs them through "
            + "plugins.",
        operands: nil,
        commands: [
            ImportSyntax.syntax,
            EraseCommand.syntax, AdoptCommand.syntax,
            PluginCommandLine.syntax(program: "tally-collector"),
            ControlCommandLine.syntax(program: "tally-collector"),
        ] + shortcuts,
        settings: settings + [HostSettings.store] + HostSettings.options,
        commonKeys: HostSettings.keys,
        epilogue: """
            Listens on this machine alone until --listen says otherwise; tenants, their keys and limits are in the
            configuration. An interrupt (Ctrl-C) or SIGTERM ends it: what was acknowledged is safe, and open runs go on
            with the next start.
            Exit codes: 0 ended as asked, 64 wrong command line, 73 the folder, an address or a socket cannot be used,
            75 a plugin failed, 78 wrong configuration.

            Examples:
              tally-collector --folder collected
              tally-collector --folder collected --plugins new-relic-video,jsonlines \\
                  --set plugins.jsonlines.config.path=out.jsonl
              curl -d '{"sent_us":0}' http://127.0.0.1:8095/runs/first
            """
    )

    /// Commands to a collector that runs, which need no `ctl` in front of them.
    static let shortcuts = ControlCommandLine.shortcuts(["runs", "show", "tap"], program: "tally-collector")

    private static let section = "Collector"

    static let folder = Setting(
        "folder",
        .text("DIR"),
        key: "collector.folder",
        in: section,
        isPath: true,
        "Keep the journal, open runs and archives in this folder, which is made when it is not there."
    ).unlessGiven("collected", shown: "the folder collected")
    static let listen = Setting(
        "listen",
        .text("ADDRESS:PORT"),
        key: "collector.listen",
        in: section,
        "Listen on this address; port 0 chooses one."
    ).unlessGiven("127.0.0.1:8095", shown: "127.0.0.1:8095")
    static let socket = Setting(
        "socket",
        .text("PATH"),
        key: "collector.socket",
        in: section,
        isPath: true,
        "Take reports on this Unix socket too, by HTTP from the same user."
    )
    static let standardInput = Setting(
        flag: "stdin",
        in: section,
        "Take lines from standard input too, each with its run, and end with it; standard output says what is safe.",
        details: "See [a pipe](collector.md#a-pipe)."
    )
    static let control = Setting(
        "control",
        .text("PATH"),
        in: section,
        "Take commands on this Unix socket, from the same user; tally-collector ctl gives them.",
        details: "See [control](control.md)."
    )
    static let check = Setting(
        flag: "check",
        in: section,
        "Check the configuration and the plugins, and exit.",
        details: "Folders, addresses and what reporters open are looked at with the start alone."
    )
    static let certificate = Setting(
        nil,
        .text("FILE"),
        key: "collector.tlsCertificate",
        isPath: true,
        "The certificate chain, PEM: with it and the key, TLS without a proxy."
    )
    static let privateKey = Setting(
        nil,
        .text("FILE"),
        key: "collector.tlsKey",
        isPath: true,
        "The private key of the certificate, PEM."
    )
    static let tenants = Setting(
        nil,
        .object(Tenant.schema),
        key: "collector.tenants",
        "Who may send, by name: keys, origins, limits, plugins, retention.",
        details: "See [tenants](collector.md#tenants)."
    ).unlessGiven(JSONObject(), shown: .null)
    static let workers = Setting(
        nil,
        .integer("COUNT", 1...64),
        key: "collector.workers",
        "How many threads drive runs; one a processor unless given."
    )
    static let behindProxy = Setting(
        flag: nil,
        key: "collector.behindProxy",
        "Whether a proxy of yours is in front, whose last address in X-Forwarded-For is the client's."
    )
    static let bodyBytes = Setting(
        nil,
        .integer("BYTES", 1024...67_108_864),
        key: "collector.bodyBytes",
        "The longest body of a request."
    ).unlessGiven(1_048_576)
    static let holdBack = Setting(
        nil,
        .number("SECONDS", 0...3_600),
        key: "collector.holdBackSeconds",
        "How long a report waits for those that were sent before it.",
        details: "Tally's own form is numbered and waits for nothing."
    ).unlessGiven(5)
    static let settled = Setting(
        flag: nil,
        key: "collector.settled",
        "Whether a run is made once it is over, with all its reports in their exact order."
    )
    static let silencePlaying = Setting(
        nil,
        .number("SECONDS", 1...86_400),
        key: "collector.silenceWhilePlayingSeconds",
        "How long nothing may come of a run that plays until it is over."
    ).unlessGiven(600)
    static let silencePaused = Setting(
        nil,
        .number("SECONDS", 1...86_400),
        key: "collector.silenceWhilePausedSeconds",
        "The same for one that is paused or in the background."
    ).unlessGiven(3_600)
    static let silenceEnded = Setting(
        nil,
        .number("SECONDS", 1...86_400),
        key: "collector.silenceAfterEndSeconds",
        "The same for one whose content has ended or failed."
    ).unlessGiven(30)
    static let journalMebibytes = Setting(
        nil,
        .integer("MIB", 1...65_536),
        key: "collector.waitingMebibytes",
        "How much may wait for the disk and the plugins; beyond, players are told to come again."
    ).unlessGiven(256)
    static let requestsPerSecond = Setting(
        nil,
        .number("COUNT", 0...1_000_000),
        key: "collector.addressRequestsPerSecond",
        "How many requests a second one address may send, over ten seconds; 0 is any number."
    ).unlessGiven(0)

    /// The collector's own settings.
    static let settings: [any DeclaredSetting] = [
        folder, listen, socket, standardInput, control, check, certificate, privateKey, tenants, workers, behindProxy,
        bodyBytes,
        holdBack, settled, silencePlaying, silencePaused, silenceEnded, journalMebibytes, requestsPerSecond,
    ]
}
