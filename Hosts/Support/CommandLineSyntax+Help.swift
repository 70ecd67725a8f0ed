extension CommandLineSyntax {
    /// The help, wrapped to the given width.
    package func help(width: Int = 80) -> String {
        var lines = ["Usage: " + usage, ""]
        lines += wrapped(summary, to: width)
        if let operands {
            lines += ["", operands.name]
            lines += wrapped(operands.help, to: width - 2).map { "  " + $0 }
        }
        var sections: [String] = []
        for option in options where !sections.contains(option.section) {
            sections.append(option.section)
        }
        // The options that every program has stand in the section that has no special name, at the end.
        sections.removeAll { $0 == "Options" }
        let column = columnOfHelp
        for section in sections + ["Options"] {
            lines += ["", section + ":"]
            for option in options where option.section == section {
                lines += rows(of: option, column: column, width: width)
            }
        }
        if !epilogue.isEmpty {
            lines += ["", epilogue]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var usage: String {
        guard let operands else { return program + " [OPTIONS]" }
        let many = (operands.maximum ?? .max) > 1 ? "..." : ""
        let name = operands.minimum == 0 ? "[\(operands.name)\(many)]" : operands.name + many
        return "\(program) [OPTIONS] \(name)"
    }

    /// Where the right column begins: behind the widest option that is not out of line.
    private var columnOfHelp: Int {
        let widths = options.map { $0.synopsis.count }.filter { $0 <= 28 }
        return (widths.max() ?? 20) + 4
    }

    private func rows(of option: CommandLineOption, column: Int, width: Int) -> [String] {
        let repeatable = option.isRepeatable ? " May be given several times." : ""
        let text = wrapped(option.help + repeatable, to: max(width - column, 24))
        let margin = String(repeating: " ", count: column)
        var rows: [String] = []
        let head = "  " + option.synopsis
        if head.count + 2 > column {
            rows.append(head)
            rows += text.map { margin + $0 }
        } else {
            rows.append(head + String(repeating: " ", count: column - head.count) + (text.first ?? ""))
            rows += text.dropFirst().map { margin + $0 }
        }
        return rows
    }

    private func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
