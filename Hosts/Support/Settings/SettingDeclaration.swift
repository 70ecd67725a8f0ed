package import TextEncoding

/// What can be listed among the settings of a program.
package protocol DeclaredSetting: Sendable {
    /// All that parser, checks and texts need.
    var declaration: SettingDeclaration { get }
}

/// A setting without the type of its value: what parser, checks, help, explanations, completions, manual and pages are
/// made from.
package struct SettingDeclaration: DeclaredSetting {
    /// The option's name behind two dashes; empty for a key without an option.
    package let name: String
    /// The option's letter behind one dash, if there is one.
    package let short: Character?
    /// What stands for the option's value in the help; nil for an option without a value.
    package private(set) var placeholder: String?
    /// The dotted path in the configuration; nil for an option without a key.
    package let key: String?
    /// Another way to write the key, which explanations show.
    package let keyAlias: String?
    /// What it does, in sentences of plain text.
    package let summary: String
    /// What pages say besides, in Markdown.
    package let details: String
    /// The heading under which texts list it.
    package let section: String
    /// Whether texts leave it out.
    package private(set) var isHidden = false
    /// Names of options without which this one means nothing, as far as the command line has them.
    package let needs: [String]
    /// Names of options that cannot stand beside this one.
    package let excludes: [String]
    /// Whether a value of the configuration is a path, relative to the file that it stands in.
    package private(set) var isPath = false
    /// Whether it may be given more than once.
    package internal(set) var isRepeatable = false
    /// A text of its value as explanations and messages show it, when it may hold a secret; nil shows all of it.
    package internal(set) var hidden: (@Sendable (String) -> String)?
    /// What holds when nobody says anything, if a text can say that.
    package internal(set) var fallback: JSONValue?

    /// JSON Schema of the key, without the default.
    var form: JSONObject
    var kind: String
    private(set) var range = ""
    private(set) var words: [String] = []
    /// Checks a text of the command line; the value as explanations show it.
    let check: @Sendable (String) throws(UnfitValue) -> JSONValue

    /// Itself.
    package var declaration: SettingDeclaration { self }

    /// Whether the program's command line has it.
    var isOption: Bool { !name.isEmpty }

    /// JSON Schema of the key.
    var schema: JSONObject {
        var schema = form
        if let fallback, !fallback.isNull { schema["default"] = fallback }
        return schema
    }

    /// The key under which an explanation shows the option.
    var explainedKey: String {
        if let key { return keyAlias ?? key }
        let words = name.split(separator: "-")
        return words.dropFirst().reduce(into: String(words.first ?? "")) {
            $0 += $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    // MARK: - Texts

    /// The option as the help's left column has it: `-c, --config FILE`.
    package var synopsis: String { (short.map { "-\($0), " } ?? "    ") + usage }

    /// The option with its value: `--config FILE`.
    var usage: String { "--" + name + (placeholder.map { " " + $0 } ?? "") }

    /// The option as it is typed, the long form first.
    var spellings: [String] { ["--" + name] + (short.map { ["-\($0)"] } ?? []) }

    /// The summary with range, default and whether it may be repeated.
    package var help: String {
        [summary, limits, isRepeatable ? "May be given several times." : ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// Range and default as a sentence, as in `From 1 to 64; 1 unless given`.
    var limits: String {
        let parts = [range, unlessGiven].filter { !$0.isEmpty }
        guard let first = parts.joined(separator: "; ").first else { return "" }
        return first.uppercased() + parts.joined(separator: "; ").dropFirst() + "."
    }

    /// The default of an option with a value, as in `1 unless given`.
    var unlessGiven: String { placeholder == nil ? "" : keyFallback.map { $0 + " unless given" } ?? "" }

    /// The default as texts have it; nil when there is none that says something.
    var keyFallback: String? {
        guard let fallback, !fallback.isNull, fallback.array == nil else { return nil }
        return fallback.string ?? fallback.canonicalText
    }
}

/// One value that a host works with, and where it comes from.
package struct EffectiveSetting: Sendable, Equatable {
    /// The key of the configuration, or the option.
    package let key: String
    /// The value.
    package let value: JSONValue
    /// The place: file, line and column, an option, or `default`.
    package let place: String

    /// Names a value and its place.
    package init(_ key: String, _ value: JSONValue, _ place: String) {
        self.key = key
        self.value = value
        self.place = place
    }
}

/// The part of the configuration that belongs to one program, so that all can read the same file.
package enum HostSection: String, CaseIterable, Sendable {
    /// `tally-player`.
    case player
    /// `tally-replay`.
    case replay
    /// `tally-collector`.
    case collector
    /// An application with `libtally` or the module `TallyEmbedding`.
    case library
}
