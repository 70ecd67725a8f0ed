/// Which plugins a check is for.
enum CheckScope: String, Sendable {
    /// The file: once, however many plugins are in it.
    case file
    /// Each plugin.
    case plugin
    /// Each tracker.
    case tracker
    /// Each reporter.
    case reporter
}

/// One thing that is looked at in a plugin: the one declaration that the program, its list and the page are made of.
struct Check: Sendable {
    /// The name, in words with hyphens; it never changes.
    let name: String
    /// What has to hold, in one sentence.
    let rule: String
    /// What an author does where it does not hold.
    let remedy: String
    /// Names of the checks without which it says nothing.
    let needs: [String]
    /// How long it may take, ms.
    let limit: Int
    /// Finds out, in a process of its own.
    let body: @Sendable (Subject) throws -> Void

    /// Declares a check.
    init(
        _ name: String,
        needs: [String] = [],
        limit: Int = 2_000,
        _ rule: String,
        remedy: String,
        _ body: @escaping @Sendable (Subject) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.limit = limit
        self.rule = rule
        self.remedy = remedy
        self.body = body
    }
}

/// Checks that belong together: a part of the list.
struct CheckGroup: Sendable {
    /// The heading.
    let title: String
    /// Which plugins they are for.
    let scope: CheckScope
    /// The checks, those first that others need.
    let checks: [Check]

    /// Puts checks under a heading.
    init(_ title: String, _ scope: CheckScope, _ checks: [Check]) {
        self.title = title
        self.scope = scope
        self.checks = checks
    }
}
