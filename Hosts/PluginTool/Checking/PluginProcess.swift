internal import CPluginTool
internal import Glibc
internal import HostSupport
internal import TextEncoding

/// A question to a plugin that is answered in a process of its own.
enum PluginProcess {
    /// Asks with a body that gives JSON; why there is no answer where the plugin crashes, hangs or breaks a rule.
    static func ask(
        _ subject: Subject,
        limit: Int = 10_000,
        _ body: @escaping @Sendable (Subject) throws(Finding) -> JSONValue
    ) -> Result<JSONValue, Finding> {
        let question = Check("question", limit: limit, "", remedy: "") { subject throws(Finding) in
            throw .note(try body(subject).canonicalText)
        }
        let outcome = CheckProcess(question, subject).run()
        guard outcome.verdict == .note else {
            let words = outcome.verdict == .crashed ? "the plugin crashed: \(outcome.text)" : outcome.text
            return .failure(.failed(words))
        }
        return .success((try? JSONParser().parse(outcome.text)) ?? .null)
    }

    /// A folder to work in, so that what a plugin writes lies nowhere else.
    static func folder() -> WorkFolder? { WorkFolder() }

    /// Holds a configuration that was given, with what its schema needs besides, against the plugin's schema.
    ///
    /// - Throws: what a host would refuse to begin with.
    static func hold(_ given: String?, against path: String) throws(HostError) {
        guard let given else { return }
        let answer = ask(Subject(path: path)) { subject throws(Finding) in
            try subject.schema().map { .object($0) } ?? .null
        }
        guard case .success(let value) = answer, let schema = value.object else { return }
        let whole = try? JSONParser().parse(GeneratedConfiguration.completed(given, schema))
        let violations = whole.map { ConfigSchemaCheck(schema).violations(in: $0) } ?? []
        guard violations.isEmpty else {
            throw .configuration(violations.map { .form(.commandLine("--config"), $0) })
        }
    }

    /// The subject with the configuration that is given, and what its schema needs besides.
    static func configured(_ subject: Subject, _ given: String?) -> Subject {
        var subject = subject
        let answer = ask(subject) { subject throws(Finding) in
            .string(GeneratedConfiguration.completed(given, try subject.schema()))
        }
        if case .success(let value) = answer { subject.configuration = value.string ?? given ?? "{}" }
        return subject
    }
}

/// A folder that the program works in, and that goes with it.
struct WorkFolder {
    private let path: String

    /// Makes one, and has the process work in it; nil when none can be made.
    init?() {
        var template = Array("/tmp/tally-plugin-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { return nil }
        path = unsafe String(cString: made)
        guard unsafe chdir(path) == 0 else { return nil }
    }

    /// Removes it with all that is in it.
    func remove() {
        guard unsafe chdir("/") == 0 else { return }
        unsafe tally_tool_remove_folder(path)
    }
}
