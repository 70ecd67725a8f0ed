internal import CPluginTool
internal import Glibc

/// What a process has for all that is in it.
struct ProcessSurroundings {
    /// What differs first, in words.
    struct Difference {
        let text: String
        let isOfSignal: Bool
    }

    private let folder: String
    private let locale: String
    private let fileMask: String
    private let hasAlarm: Bool
    /// Values by name, which no finding shows: secrets of a build server may be among them.
    private let environment: [String: String]
    private let signals: [Int32]

    /// Looks at this process, and at the signals of this thread.
    init() {
        let mask = umask(0)
        umask(mask)
        fileMask = String(mask, radix: 8)
        let path = unsafe getcwd(nil, 0)
        folder = unsafe path.map { unsafe String(cString: $0) } ?? ""
        unsafe free(path)
        locale = unsafe setlocale(LC_ALL, nil).map { unsafe String(cString: $0) } ?? ""
        hasAlarm = tally_tool_has_alarm()
        signals = (1..<65).map { tally_tool_signal_handling($0) }
        var variables: [String: String] = [:]
        var place = unsafe environ
        while let text = unsafe place.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            variables[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
            unsafe place += 1
        }
        environment = variables
    }

    /// What is another than it was; nil when nothing is.
    func difference(from before: Self) -> Difference? {
        let shown = [
            ("the folder", folder, before.folder), ("the locale", locale, before.locale),
            ("the mask of new files", fileMask, before.fileMask),
        ]
        for (name, now, was) in shown where now != was {
            return Difference(text: "\(name) is \"\(now)\" now, and was \"\(was)\"", isOfSignal: false)
        }
        for name in Set(environment.keys).union(before.environment.keys).sorted()
        where environment[name] != before.environment[name] {
            let what =
                environment[name] == nil ? "is gone" : before.environment[name] == nil ? "is new" : "has another value"
            return Difference(text: "the variable \(name) of the environment \(what)", isOfSignal: false)
        }
        if hasAlarm, !before.hasAlarm {
            return Difference(text: "a timer will send the process a signal (alarm, setitimer)", isOfSignal: false)
        }
        for (index, (now, was)) in zip(signals, before.signals).enumerated() where now != was {
            let name = unsafe tally_tool_signal_name(Int32(index) + 1).map { unsafe "SIG" + String(cString: $0) }
            let text = "\(name ?? "signal \(index + 1)") is \(Self.word(now)) now, and was \(Self.word(was))"
            return Difference(text: text, isOfSignal: true)
        }
        return nil
    }

    private static func word(_ handling: Int32) -> String {
        ["left to its default", "ignored", "handled", "blocked"][Int(handling)]
    }
}
