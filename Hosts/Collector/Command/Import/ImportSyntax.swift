internal import HostSupport
internal import TextEncoding

/// What `tally-collector import` may be told.
enum ImportSyntax {
    static let syntax = CommandLineSyntax(
        program: "tally-collector import",
        summary: "Makes player runs of the requests with CMCD in access logs, and puts them into archives.",
        operands: CommandLineSyntax.Operands(
            "FILE",
            minimum: 1,
            maximum: nil,
            help: "A log, in the order in which it was written; - is standard input."
        ),
        settings: [format, template, moment, folder, tenant, HostSettings.quiet, HostSettings.verbose],
        epilogue: """
            A run has the requests, renditions and figures that a log shows, and nothing that it does not: no plays, pauses
            or stalls. The same log again adds nothing. Lines without CMCD are passed over.
            Exit codes: 0 all was read, 64 wrong command line, 65 a line cannot be read, 66 no such file, 73 the folder
            cannot be used.

            Examples:
              tally-collector import --format nginx /var/log/nginx/access.log
              zcat E2ABC.*.gz | tally-collector import --format cloudfront -
            """
    )

    /// The forms of logs.
    enum Format: String, Sendable, CaseIterable {
        case nginx
        case cloudfront
        case w3c
        case tsv
        case json
    }

    /// What a log's time is.
    enum Moment: String, Sendable, CaseIterable {
        case start
        case end
        case unknown
    }

    static let format = Setting("format", .word("FORM", of: Format.allCases), "The form of the logs.")
        .unlessGiven(.nginx, shown: "that of nginx")
    static let template = Setting(
        "log-format",
        .text("TEMPLATE"),
        "With nginx, its log_format; that of the name combined unless given."
    )
    static let moment = Setting(
        "moment",
        .word("MOMENT", of: Moment.allCases),
        "With w3c and tsv, what a line's time is."
    ).unlessGiven(.unknown, shown: "the word unknown")
    static let folder = Setting("folder", .text("DIR"), "The collector's folder, which no collector may use meanwhile.")
        .unlessGiven("collected", shown: "the folder collected")
    static let tenant = Setting("tenant", .text("NAME"), "Whose runs they are.")
        .unlessGiven("default", shown: "the tenant default")
}
