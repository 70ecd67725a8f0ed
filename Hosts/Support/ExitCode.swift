import Glibc

/// How a host ends, for shells and scripts.
///
/// The numbers follow `sysexits.h` where it has one that fits. The documentation's table is checked against this type.
package enum ExitCode: Int32, CaseIterable, Sendable {
    /// All went as asked.
    case success = 0
    /// The work was done, and its answer is no.
    case difference = 1
    /// The command line is wrong.
    case usage = 64
    /// The input is there and cannot be understood.
    case badData = 65
    /// The input is not there.
    case noInput = 66
    /// Something that is needed does not answer.
    case unavailable = 69
    /// A bug.
    case internalError = 70
    /// An output cannot be made.
    case cannotCreate = 73
    /// An output cannot be written to its end.
    case outputFailed = 74
    /// A plugin cannot be used.
    case pluginFailed = 75
    /// The input was made by a newer version.
    case newerVersion = 76
    /// The configuration is wrong.
    case badConfiguration = 78
    /// A signal ended the program before its work was done.
    case interrupted = 130

    /// The name that messages and documents use: that of the case, in words.
    package var name: String {
        "\(self)".reduce(into: "") { $0 += ($1.isUppercase ? "-" : "") + $1.lowercased() }
    }

    /// When a host ends so, in one sentence.
    package var meaning: String {
        switch self {
        case .success: "All was done; a first interrupt that ended the run gracefully is success too."
        case .difference:
            "The work was done and found a difference, an expectation was not met, or a command was refused."
        case .usage: "The command line has an unknown option, a missing or malformed value, or an argument too many."
        case .badData: "The input is damaged, cut off or not what it should be: an archive, or media."
        case .noInput: "An input file or URL that the command line names does not exist or may not be read."
        case .unavailable: "A server refused the connection or did not answer in time."
        case .internalError:
            "A plugin called `exit`, as the message says, or Tally itself failed; please report that with the message."
        case .cannotCreate:
            "An output file or folder cannot be created, or a socket or address not be listened on, as one that another "
                + "program has."
        case .outputFailed: "Writing an output failed, as on a full disk, or a reporter lost outputs or gave them up."
        case .pluginFailed: "A plugin cannot be found, loaded or initialised, or returned errors while it worked."
        case .newerVersion: "The archive was made by a newer version of Tally than this one can read."
        case .badConfiguration: "The configuration is wrong, or names a file that is not there; the message says where."
        case .interrupted:
            "A second interrupt ended the program before its graceful end, or a signal ended a replay before its "
                + "archives did."
        }
    }

    /// The table of all codes in Markdown, as the command line's reference has it.
    package static var markdownTable: String {
        let rows = allCases.map { "| \($0.rawValue) | `\($0.name)` | \($0.meaning) |" }
        return (["| Code | Name | When |", "| ---: | --- | --- |"] + rows).joined(separator: "\n") + "\n"
    }

    /// Ends the program with this code.
    package func end() -> Never {
        exit(rawValue)
    }
}
