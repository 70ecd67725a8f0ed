internal import TextEncoding

/// The manual page of a program, as source for `man`.
struct ManualPage {
    let syntax: CommandLineSyntax
    let version: String
    let date: String?

    /// The day that `SOURCE_DATE_EPOCH` says, in seconds since the start of 1970; nil when it says none.
    static func date(from environment: (String) -> String?) -> String? {
        guard let seconds = environment("SOURCE_DATE_EPOCH").flatMap({ Int64($0) }),
            (0...253_402_300_799).contains(seconds)
        else { return nil }
        let buffer = ByteBuffer(capacity: 32)
        CivilDate(microsecondsSinceEpoch: seconds * 1_000_000).appendISO8601(to: buffer, fractionDigits: 0)
        return String(buffer.string.prefix(10))
    }

    var source: String {
        let title = String(syntax.program.map { $0 == " " ? "-" : $0 })
        var lines = [
            ".TH \(title.uppercased()) 1 \"\(date ?? "")\" \"Tally \(version)\" \"User Commands\"",
            ".SH NAME", "\(escaped(title)) \\- \(escaped(oneLine))",
            ".SH SYNOPSIS", ".B \(escaped(syntax.program))",
            ".RI [ OPTIONS ]",
        ]
        if let operands = syntax.operands {
            let many = (operands.maximum ?? .max) > 1 ? "..." : ""
            let name = escaped(operands.name)
            lines.append(operands.minimum == 0 ? ".RI [ \(name)\(many) ]" : ".I \(name)\(many)")
        }
        for command in syntax.commands {
            lines += [".br", ".B \(escaped(command.program))", ".RI [ OPTIONS ]"]
            if let operands = command.operands { lines.append(".I \(escaped(operands.name))") }
        }
        lines += [".SH DESCRIPTION", text(syntax.summary)]
        if let operands = syntax.operands { lines += [".TP", ".I \(escaped(operands.name))", text(operands.help)] }
        lines += [".SH OPTIONS"] + options(of: syntax)
        if !syntax.commands.isEmpty {
            lines.append(".SH COMMANDS")
            for command in syntax.commands { lines += self.command(command) }
        }
        if !syntax.epilogue.isEmpty { lines += [".SH NOTES"] + paragraphs(syntax.epilogue) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What NAME says: the summary up to its first colon or full stop.
    private var oneLine: String {
        let first = [". ", ": "].reduce(syntax.summary) { text, end in
            text.split(separator: end).first.map(String.init) ?? text
        }
        return first.hasSuffix(".") ? String(first.dropLast()) : first
    }

    private func options(of syntax: CommandLineSyntax) -> [String] {
        var lines: [String] = []
        for section in syntax.sections {
            if section != syntax.sections.first || section != "Options" { lines.append(".SS \"\(escaped(section))\"") }
            for option in syntax.visibleOptions where option.section == section { lines += row(of: option) }
        }
        return lines
    }

    private func row(of option: SettingDeclaration) -> [String] {
        var head = option.spellings.reversed().map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
        if let value = option.placeholder { head += " \\fI\(escaped(value))\\fR" }
        return [".TP", head, text(option.help)]
    }

    private func command(_ syntax: CommandLineSyntax) -> [String] {
        var head = "\\fB\(escaped(syntax.program))\\fR"
        if let operands = syntax.operands { head += " \\fI\(escaped(operands.name))\\fR" }
        var lines = [".SS \"\(head)\"", text(syntax.summary)]
        if let operands = syntax.operands { lines += [".TP", ".I \(escaped(operands.name))", text(operands.help)] }
        let common: Set = ["help", "version"]
        for option in syntax.visibleOptions where !common.contains(option.name) { lines += row(of: option) }
        // Without a break the text would be that of the last option.
        if !syntax.epilogue.isEmpty { lines += [".PP"] + paragraphs(syntax.epilogue) }
        for inner in syntax.commands { lines += command(inner) }
        return lines
    }

    /// Free text of the help: lines that are set in stay as they are, the others become paragraphs.
    private func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isLiteral = false
        var needsParagraph = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let literal = line.hasPrefix("  ")
            if literal != isLiteral {
                lines += literal ? [".PP", ".nf", ".RS 4"] : [".RE", ".fi"]
                isLiteral = literal
                if !literal { needsParagraph = true }
            }
            if line.allSatisfy(\.isWhitespace) {
                needsParagraph = true
                continue
            }
            if !literal, needsParagraph { lines.append(".PP") }
            needsParagraph = false
            lines.append(literal ? self.line(String(line.dropFirst(2))) : self.text(String(line)))
        }
        if isLiteral { lines += [".RE", ".fi"] }
        // A heading is a paragraph break of its own.
        if lines.first == ".PP" { lines.removeFirst() }
        return lines
    }

    /// Text that is filled, in lines of the source that stay short where words allow it.
    private func text(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ").map({ escaped(String($0)) }) {
            if let last = lines.last, last.utf8.count + 1 + word.utf8.count < 80 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines.map(shielded).joined(separator: "\n")
    }

    /// Text that stays one line.
    private func line(_ text: String) -> String {
        shielded(escaped(text))
    }

    /// A line of source that is text, even where its first character would make it a request.
    private func shielded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "`": result += "\\(ga"
            default: result.append(character)
            }
        }
    }
}
