internal import PluginKit

/// What the reporter is configured with.
struct DashboardConfiguration: DeclaredConfiguration {
    var listen = "127.0.0.1"
    var port = 8090
    var tokenFile = ""
    var tokenVariable = ""
    var urlFile = ""
    var allowedHosts: [String] = []
    /// How long ended sessions are shown, us.
    var keep: Int64 = 3_600_000_000
    var sessionPages = 200
    var database = ""
    var personal = false
    /// How often pages are told that there is something new, ms.
    var refresh = 2_000
    /// How long a browser may take to read or to ask, s.
    var timeout = 30

    static let keys = [
        Key(
            "listen",
            \.listen,
            .nonEmptyText("an address of this machine"),
            "Address that browsers connect to: of this machine alone, or of others too, such as `0.0.0.0`. What is asked "
                + "and answered is not encrypted: others need a TLS proxy in front."
        ),
        Key("port", \.port, .integer(0...65_535), "Port that browsers connect to; 0 takes any that is free."),
        Key(
            "token_file",
            \.tokenFile,
            .text.withoutShownDefault,
            "File that holds the token, which nobody but its owner can read (mode 0600). Without it and the next key a "
                + "random one is made at each start."
        ),
        Key(
            "token_environment",
            \.tokenVariable,
            .text.withoutShownDefault,
            "Environment variable that holds the token; either this or `token_file`."
        ),
        Key(
            "url_file",
            \.urlFile,
            .text.withoutShownDefault,
            "File that the whole address with the token is written to (mode 0600). It is removed at the end."
        ),
        Key(
            "allowed_hosts",
            \.allowedHosts,
            .list(of: .nonEmptyText("a host's name"), most: 64),
            "Further names by which browsers may call this dashboard, without ports, such as that of a proxy."
        ),
        Key(
            "keep_s",
            \.keep,
            .integer(1...31 * 86_400).scaled(by: 1_000_000),
            "How long sessions that have ended are in the lists and metrics."
        ),
        Key(
            "session_pages",
            \.sessionPages,
            .integer(0...5_000),
            "How many sessions that have ended keep a page: two of five the worst, the others the newest and a fair sample."
        ),
        Key(
            "database",
            \.database,
            .text.withoutShownDefault,
            "SQLite file that keeps ended sessions, their pages and metrics over a restart. Without it they are in memory."
        ),
        Key(
            "personal",
            \.personal,
            .flag,
            "Show attributes that are marked personal; without it they are left out, and their values are hidden elsewhere."
        ),
        Key("refresh_ms", \.refresh, .integer(100...2_000), "How often pages are told what is new."),
        Key(
            "timeout_s",
            \.timeout,
            .integer(1...600),
            "How long a browser may take to read an answer, or to ask again, until its connection is closed."
        ),
    ]

    mutating func validate(at path: String) throws(ConfigurationError) {
        if !tokenFile.isEmpty, !tokenVariable.isEmpty {
            let expected = "nothing beside token_file"
            throw .unusable(key: "token_environment", value: "\"\(tokenVariable)\"", expected: expected)
        }
    }

    /// Where the token is; nil when a random one is to be made.
    var tokenPlace: SecretPlace? {
        if !tokenFile.isEmpty { return .file(tokenFile) }
        return tokenVariable.isEmpty ? nil : .environment(tokenVariable)
    }
}
