/// The tables of options and keys in the pages, each between the markers where it belongs.
internal struct ReferenceTables {
    private let syntax: CommandLineSyntax

    internal init(_ syntax: CommandLineSyntax) {
        self.syntax = syntax
    }

    internal var text: String {
        let sections = Set(
            syntax.keys.compactMap { $0.key }.filter { $0.contains(".") }.map { $0.prefix { $0 != "." } }
        )
        let own = sections.sorted().compactMap { section -> String? in
            guard HostSection(rawValue: String(section)) != nil else { return nil }
            return keys("keys of \(section)", syntax.keys.filter { $0.key?.hasPrefix(section + ".") == true })
        }
        return (options(of: syntax) + [keys("keys", HostSettings.keys.map(\.declaration))] + own).joined()
    }

    private func options(of syntax: CommandLineSyntax) -> [String] {
        let own = syntax.sections.map { section in
            let rows = syntax.visibleOptions.filter { $0.section == section }.map { option in
                let spelled = option.short.map { "`-\($0)`, " } ?? ""
                return "| \(spelled)`\(option.usage.replacing("|", with: "\\|"))` | \(text(of: option)) |"
            }
            return table("\(syntax.program), \(section)", ["Option", "What it does"], rows)
        }
        return own + syntax.commands.flatMap(options)
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
        let fallback = setting.keyFallback.map { "\($0) unless given" }
        guard setting.isOption else {
            let parts = [Self.markdown(setting.summary), setting.details, fallback.map { $0 + "." } ?? ""]
            return parts.filter { !$0.isEmpty }.joined(separator: " ")
        }
        let option = "`--\(setting.name)`" + (isOwned ? "" : " of `tally-player`")
        let start = setting.placeholder == nil ? "What \(option) changes" : "As \(option), which goes before it"
        return [start, fallback].compactMap { $0 }.joined(separator: "; ") + "."
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
