/// What a program writes about its own command line, for a package.
package enum GeneratedText: String, Sendable, CaseIterable {
    /// A completion script for bash.
    case bash
    /// A completion script for zsh.
    case zsh
    /// A completion script for fish.
    case fish
    /// The manual page, for section 1.
    case man
    /// The tables of the pages, each between its markers.
    case markdown

    /// The text; it depends on the arguments alone.
    ///
    /// - Parameters:
    ///   - syntax: the program's command line; its commands are part of the text.
    ///   - version: the program's version.
    ///   - date: the date of the manual page as YYYY-MM-DD, nil for none.
    /// - Returns: the text, which ends in a line end.
    package func text(for syntax: CommandLineSyntax, version: String, date: String? = nil) -> String {
        switch self {
        case .bash: BashCompletion(syntax).script
        case .zsh: ZshCompletion(syntax).script
        case .fish: FishCompletion(syntax).script
        case .man: ManualPage(syntax, version: version, date: date).source
        case .markdown: ReferenceTables(syntax).text
        }
    }
}
