internal import HostSupport
internal import KafkaClient

/// The options of a worker, which shares a topic with the other members of a consumer group.
enum WorkerOptions {
    private static let section = "Workers"

    static let state = Setting(
        "state",
        .text("DIR"),
        in: section,
        excludes: ["follow", "checkpoint", "control", "manifest", "files-from", "summary", "baseline", "paused"],
        "With kafka://BROKERS/TOPIC?group=NAME, keep the lines of open runs in this folder; it need not last.",
        details: "See [workers](#workers)."
    )
    static let untilEnd = Setting(
        flag: "until-end",
        in: section,
        needs: ["state"],
        "With --state, end when the partitions that the worker has are read."
    )

    static let all: [any DeclaredSetting] = [state, untilEnd]

    /// The topic that a worker shares, and its group; nil when the command line asks for no worker.
    static func topic(_ arguments: CommandLineArguments) throws(UsageError) -> (address: KafkaAddress, group: String)? {
        let operands = arguments.operands
        let shared = operands.compactMap { operand -> (address: KafkaAddress, group: String)? in
            guard let address = try? KafkaAddress(operand), let group = address.group else { return nil }
            return (address, group)
        }
        guard let topic = shared.first else {
            guard arguments[state] == nil else {
                throw .badValue(
                    option: "ARCHIVE",
                    value: operands.joined(separator: " "),
                    expected: "kafka://BROKERS/TOPIC?group=NAME with --state"
                )
            }
            return nil
        }
        guard operands.count == 1, topic.address.run == nil else {
            throw .badValue(
                option: "ARCHIVE",
                value: operands.joined(separator: " "),
                expected: "one topic with 'group', without 'run', and no other archive"
            )
        }
        guard arguments[state] != nil else { throw .missingArgument("--state DIR, which 'group' needs,") }
        return topic
    }

    /// What each replay of a worker is given of the program's own words.
    static func passed(_ words: [String], operand: String) -> [String] {
        var passed: [String] = []
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
                continue
            }
            switch word {
            case operand, "--until-end", "--json", "--quiet", "-q": continue
            case "--state", "--run-idle-limit": isValue = true
            case _ where word.hasPrefix("--state=") || word.hasPrefix("--run-idle-limit="): continue
            default: passed.append(word)
            }
        }
        return passed
    }
}
