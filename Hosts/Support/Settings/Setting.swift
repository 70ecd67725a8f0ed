package import TextEncoding

/// A setting of a program: an option of its command line, a key of its configuration, or both.
///
/// The option goes before the key, and the key before the default.
package struct Setting<Value: Sendable>: DeclaredSetting {
    package private(set) var declaration: SettingDeclaration
    /// The value, of the option's texts and the key's value.
    let value: @Sendable (_ texts: [String], _ key: JSONValue?) -> Value

    private init(_ declaration: SettingDeclaration, value: @escaping @Sendable ([String], JSONValue?) -> Value) {
        self.declaration = declaration
        self.value = value
    }

    /// Declares a setting that need not be given.
    ///
    /// - Parameters:
    ///   - name: the option behind two dashes; nil for a key without an option.
    ///   - short: the option's letter.
    ///   - form: what its value looks like.
    ///   - key: the dotted path in the configuration; nil for an option without a key.
    ///   - keyAlias: another way to write the key, which explanations show.
    ///   - section: the heading under which texts list it.
    ///   - needs: names of options without which it means nothing.
    ///   - excludes: names of options that cannot stand beside it.
    ///   - isPath: whether the key's value is a path, relative to the file that it stands in.
    ///   - isHidden: whether texts leave it out.
    ///   - summary: what it does; range and default are added.
    ///   - details: what pages say besides, in Markdown.
    package init<One>(
        _ name: String?,
        short: Character? = nil,
        _ form: ValueForm<One>,
        key: String? = nil,
        keyAlias: String? = nil,
        in section: String = "Options",
        needs: [String] = [],
        excludes: [String] = [],
        isPath: Bool = false,
        isHidden: Bool = false,
        _ summary: String,
        details: String = ""
    ) where Value == One? {
        let declaration = SettingDeclaration(
            name: name ?? "",
            short: short,
            placeholder: form.placeholder,
            key: key,
            keyAlias: keyAlias,
            summary: summary,
            details: details,
            section: section,
            isHidden: isHidden,
            needs: needs,
            excludes: excludes,
            isPath: isPath,
            form: form.schema,
            kind: form.kind,
            range: form.range,
            words: form.words,
            check: { text throws(UnfitValue) in form.encode(try form.read(text)) ?? .string(text) }
        )
        self.init(declaration) { texts, key in
            // What is no value of the form was refused before.
            texts.last.flatMap { try? form.read($0) } ?? key.flatMap(form.decode)
        }
    }

    /// The setting with what holds when nobody says anything.
    package func unlessGiven<One>(_ fallback: One, shown: JSONValue) -> Setting<One> where Value == One? {
        var declaration = declaration
        declaration.fallback = shown
        return Setting<One>(declaration) { [value] in value($0, $1) ?? fallback }
    }

    /// The setting as one that may be given several times, and has all its values; its key has them in an array.
    package func repeatable<One>() -> Setting<[One]> where Value == One? {
        var declaration = declaration
        declaration.isRepeatable = true
        if declaration.key != nil {
            declaration.form = ["type": "array", "items": .object(declaration.form)]
            declaration.kind = "array of \(declaration.kind)s"
            declaration.fallback = []
        }
        return Setting<[One]>(declaration) { [value] texts, key in
            guard texts.isEmpty else { return texts.compactMap { value([$0], nil) } }
            return (key?.array ?? []).compactMap { value([], $0) }
        }
    }

    /// The setting as one whose texts may hold secrets; `shown` is what explanations and messages have of one.
    package func hiding(_ shown: @escaping @Sendable (String) -> String) -> Setting<Value> {
        var declaration = declaration
        declaration.hidden = shown
        return Setting(declaration, value: value)
    }
}

extension Setting where Value == Int? {
    /// The setting with what holds when nobody says anything.
    package func unlessGiven(_ fallback: Int) -> Setting<Int> { unlessGiven(fallback, shown: .int(Int64(fallback))) }
}

extension Setting where Value == Double? {
    /// The setting with what holds when nobody says anything.
    package func unlessGiven(_ fallback: Double) -> Setting<Double> {
        unlessGiven(fallback, shown: SettingText.json(fallback))
    }
}

extension Setting where Value == Bool {
    /// Declares a setting that holds or not: an option without a value, true or false in the configuration.
    ///
    /// `says` is what the option says when it is given; the other parameters are those of a setting with a value.
    package init(
        flag name: String?,
        short: Character? = nil,
        says: Bool = true,
        key: String? = nil,
        keyAlias: String? = nil,
        in section: String = "Options",
        needs: [String] = [],
        excludes: [String] = [],
        _ summary: String,
        details: String = ""
    ) {
        var declaration = SettingDeclaration(
            name: name ?? "",
            short: short,
            key: key,
            keyAlias: keyAlias,
            summary: summary,
            details: details,
            section: section,
            needs: needs,
            excludes: excludes,
            form: ["type": "boolean"],
            kind: "boolean",
            check: { _ throws(UnfitValue) in .bool(says) }
        )
        declaration.fallback = .bool(!says)
        self.init(declaration) { texts, key in texts.isEmpty ? key?.bool ?? !says : says }
    }
}
