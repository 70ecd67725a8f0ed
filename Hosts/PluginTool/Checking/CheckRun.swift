internal import PluginABI
internal import System
internal import TextEncoding

/// What came of one check of one plugin.
struct CheckResult: Sendable {
    /// The check.
    let check: Check
    /// The heading that it stands under.
    let group: String
    /// The id of the plugin; empty where the file is meant.
    let plugin: String
    let verdict: Verdict
    /// What was found, in one line; empty where all is well.
    let text: String
    /// How long it took, ms.
    let milliseconds: Int64
    /// Whether it was not tried since another check found a fault.
    var isForAnother = false
}

/// All checks of a file, one after the other, each in a process of its own.
struct CheckRun {
    /// A plugin of the file, as it says itself.
    private struct Described {
        var subject: Subject
        var id = ""
        var isReporter = false
    }

    let path: String
    /// The configuration that was given; what its schema needs besides is added.
    let configuration: String?
    /// Names of checks to make, with those that they need; empty for all.
    let only: [String]
    /// Names of checks to leave out.
    let without: [String]

    private var results: [CheckResult] = []

    /// Prepares the checks of a file.
    init(path: String, configuration: String?, only: [String], without: [String]) {
        self.path = path
        self.configuration = configuration
        self.only = only
        self.without = without
    }

    /// Makes the checks; `each` hears of a result as soon as it is there.
    mutating func run(_ each: (CheckResult) -> Void) -> [CheckResult] {
        let names = wantedNames
        var plugins = [Described(subject: Subject(path: path))]
        for group in AllChecks.groups {
            if group.scope == .plugin, plugins[0].id.isEmpty { plugins = describe() }
            let subjects = group.scope == .file ? [Described(subject: Subject(path: path))] : plugins
            for plugin in subjects where isFor(group.scope, plugin) {
                for check in group.checks where names.contains(check.name) {
                    let result = make(check, group.title, plugin)
                    results.append(result)
                    each(result)
                }
            }
        }
        return results
    }

    /// The names that were asked for, and those that they need.
    private var wantedNames: Set<String> {
        let all = AllChecks.groups.flatMap { $0.checks }
        var names = Set(only.isEmpty ? all.map(\.name) : only)
        for check in all.reversed() where names.contains(check.name) { names.formUnion(check.needs) }
        return names.subtracting(without)
    }

    private func isFor(_ scope: CheckScope, _ plugin: Described) -> Bool {
        switch scope {
        case .file, .plugin: true
        case .tracker: !plugin.isReporter
        case .reporter: plugin.isReporter
        }
    }

    private func make(_ check: Check, _ group: String, _ plugin: Described) -> CheckResult {
        let start = SystemTime.monotonic()
        let missing = missing(check, plugin.id)
        let outcome = missing.map { (Verdict.skipped, $0) } ?? CheckProcess(check, plugin.subject).run()
        return CheckResult(
            check: check,
            group: group,
            plugin: plugin.id,
            verdict: outcome.0,
            text: outcome.1,
            milliseconds: (SystemTime.monotonic() - start) / 1_000,
            isForAnother: missing != nil
        )
    }

    /// Why a check need not be tried: a check that it needs found a fault, or was itself not tried.
    private func missing(_ check: Check, _ plugin: String) -> String? {
        for name in check.needs {
            let result = results.first { $0.check.name == name && ($0.plugin.isEmpty || $0.plugin == plugin) }
            guard let result else { continue }
            if result.verdict.isFault { return "\(name) \(result.verdict.rawValue)" }
            if result.verdict == .skipped { return result.text }
        }
        return nil
    }

    /// The plugins of the file, with a configuration for each; one that is not known when they cannot be asked.
    private func describe() -> [Described] {
        let unknown = [Described(subject: Subject(path: path), id: path)]
        let isDescribed = results.first { $0.check.name == "descriptors" }.map { $0.verdict == .passed } ?? true
        guard isDescribed else { return unknown }
        let answer = PluginProcess.ask(Subject(path: path)) { [configuration] subject throws(Finding) in
            var found: [JSONValue] = []
            for index in unsafe try 0..<subject.entry().pointee.count {
                var one = subject
                one.index = index
                let schema = (try? one.schema()) ?? nil
                found.append([
                    "id": .string((try? one.id()) ?? ""), "reporter": .bool((try? one.isReporter()) ?? false),
                    "configuration": .string(GeneratedConfiguration.completed(configuration, schema)),
                ])
            }
            return .array(found)
        }
        guard let plugins = (try? answer.get())?.array, !plugins.isEmpty else { return unknown }
        return plugins.enumerated().map { index, value in
            var subject = Subject(path: path)
            subject.index = UInt32(index)
            subject.configuration = value["configuration"]?.string ?? "{}"
            let id = value["id"]?.string ?? ""
            return Described(
                subject: subject,
                id: id.isEmpty ? "plugin \(index)" : id,
                isReporter: value["reporter"] == true
            )
        }
    }
}
