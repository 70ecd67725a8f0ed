internal import TextEncoding

/// A table of a page, between the markers with its name.
package struct ReferenceTable: Sendable {
    let name: String
    let columns: [String]
    let rows: [[String]]

    /// Describes a table; cells are Markdown.
    package init(_ name: String, columns: [String], rows: [[String]]) {
        self.name = name
        self.columns = columns
        self.rows = rows
    }
}

/// The tables of options and keys in the pages, each between the markers where it belongs.
struct ReferenceTables {
    let syntax: CommandLineSyntax

    var text: String {
        let own = HostSection.allCases.compactMap { section -> String? in
            let keys = syntax.keys.filter { $0.key?.hasPrefix(section.rawValue + ".") == true }
            return keys.isEmpty ? nil : self.keys("keys of \(section.rawValue)", keys)
        }
        let common = syntax.commonKeys.isEmpty ? [] : [keys("keys", syntax.commonKeys)]
        let others = (syntax.commands.flatMap(\.tables) + syntax.tables).map {
            table($0.name, $0.columns, $0.rows.map(row))
        }
        return (options(of: syntax) + common + own + others).joined()
    }

    /// The tables of a command line and its commands; an option that a command has as the program has it is there once.
    private func options(of syntax: CommandLineSyntax, without known: Set<String> = []) -> [String] {
        var said = known
        let own = syntax.sections.compactMap { section -> String? in
            let options = syntax.visibleOptions.filter { $0.section == section }
            let rows = options.map(row(of:)).filter { !known.contains($0) }
            said.formUnion(rows)
            return rows.isEmpty ? nil : table("\(syntax.program), \(section)", ["Option", "What it does"], rows)
        }
        return own + syntax.commands.flatMap { options(of: $0, without: said) }
    }

    private func row(of option: SettingDeclaration) -> String {
        let spelled = option.short.map { "`-\($0)`, " } ?? ""
        return "| \(spelled)`\(option.usage.replacing("|", with: "\\|"))` | \(text(of: option)) |"
    }

    private func text(of option: SettingDeclaration) -> String {
        var sentences = [Self.markdown(option.summary), option.details, option.limits]
        if let key = option.key { sentences.append("Goes before the key `\(key)`.") }
        if option.isRepeatable { sentences.append("Repeatable.") }
        return sentences.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func keys(_ name: String, _ settings: [SettingDeclaration]) -> String {
        let rows = settings.compactMap { setting -> String? in
            guard let key = setting.key else { return nil }
            let isOwned = HostSection.allCases.contains { key.hasPrefix($0.rawValue + ".") }
            let label = isOwned ? key.split(separator: ".").dropFirst().joined(separator: ".") : key
            let names = [setting.keyAlias, label].compactMap { $0 }.map { "`\($0)`" }.joined(separator: " or ")
            let kind = setting.kind + (setting.range.isEmpty ? "" : " " + setting.range)
            return "| \(names) | \(kind) | \(meaning(of: setting, isOwned: isOwned)) |"
        }
        return table(name, ["Key", "Type", "Meaning"], rows)
    }

    private func meaning(of setting: SettingDeclaration, isOwned: Bool) -> String {
        let option = "`--\(setting.name)`" + (isOwned ? "" : " of `tally-player`")
        let start =
            !setting.isOption
            ? Self.markdown(setting.summary.hasSuffix(".") ? String(setting.summary.dropLast()) : setting.summary)
            : setting.placeholder == nil
                ? "Set to \(setting.fallback == true ? "false" : "true") by \(option)"
                : "As \(option), which goes before it"
        let fallback = setting.keyFallback.map { "\(setting.words.isEmpty ? $0 : "`\($0)`") unless given" }
        let sentence = [start, fallback].compactMap { $0 }.joined(separator: "; ") + "."
        return setting.isOption || setting.details.isEmpty ? sentence : sentence + " " + setting.details
    }

    private func table(_ name: String, _ columns: [String], _ rows: [String]) -> String {
        let lines =
            ["<!-- generated: \(name) -->", row(columns), row(columns.map { _ in "---" })] + rows + ["<!-- end -->"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }

    /// Plain text with options as code, and nothing that Markdown or a table would read.
    private static func markdown(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            let start = word.prefix { "({[".contains($0) }
            let rest = word.dropFirst(start.count)
            guard rest.hasPrefix("--") else { return String(word).replacing("*", with: "\\*") }
            let name = rest.prefix { $0 == "-" || $0.isLetter }
            return start + "`\(name)`" + rest.dropFirst(name.count)
        }
        return words.joined(separator: " ").replacing("|", with: "\\|")
    }
}
