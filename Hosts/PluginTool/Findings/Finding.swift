/// How a check of a plugin ended.
enum Verdict: String, Sendable, CaseIterable {
    /// All is as it has to be.
    case passed
    /// Something to know, which is no fault.
    case note
    /// It works, and will cause trouble somewhere.
    case warning
    /// The plugin breaks a rule.
    case failed
    /// The plugin ended the process, or a signal did.
    case crashed
    /// The check did not come back within its limit.
    case hung
    /// It was not tried, and the text says why.
    case skipped

    /// Whether the plugin has to be mended.
    var isFault: Bool { [.failed, .crashed, .hung].contains(self) }
}

/// What a check found that is not in order.
struct Finding: Error, Equatable, Sendable {
    /// How much it matters.
    let verdict: Verdict
    /// What was found, in one line.
    let text: String

    /// A rule that is broken.
    static func failed(_ text: String) -> Finding { Finding(verdict: .failed, text: text) }
    /// What will cause trouble.
    static func warning(_ text: String) -> Finding { Finding(verdict: .warning, text: text) }
    /// What is good to know.
    static func note(_ text: String) -> Finding { Finding(verdict: .note, text: text) }
    /// Why nothing was tried.
    static func skipped(_ text: String) -> Finding { Finding(verdict: .skipped, text: text) }
}
