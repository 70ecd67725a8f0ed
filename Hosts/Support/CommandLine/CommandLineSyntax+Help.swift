extension CommandLineSyntax {
    /// The help, wrapped to the given width.
    package func help(width: Int = 80) -> String {
        var lines = ["Usage: " + usage, ""]
        lines += wrapped(summary, to: width)
        if let operands {
            lines += ["", operands.name]
            lines += wrapped(operands.help, to: width - 2).map { "  " + $0 }
        }
        if !commands.isEmpty {
            let column = (commands.map(\.command.count).max() ?? 0) + 4
            lines += ["", "Commands:"]
            for command in commands {
                let name = "  " + command.command
                let text = wrapped(command.summary, to: max(width - column, 24))
                lines.append(name + String(repeating: " ", count: column - name.count) + (text.first ?? ""))
                lines += text.dropFirst().map { String(repeating: " ", count: column) + $0 }
            }
        }
        let column = columnOfHelp
        for section in sections {
            lines += ["", section + ":"]
            for option in visibleOptions where option.section == section {
                lines += rows(of: option, column: column, width: width)
            }
        }
        if !epilogue.isEmpty { lines += ["", epilogue] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The headings of the options, in the order in which help and manual have them.
    var sections: [String] {
        // The options that every program has stand in the section that has no special name, at the end.
        visibleOptions.map(\.section).withoutRepeats.filter { $0 != "Options" } + ["Options"]
    }

    private var usage: String {
        guard let operands else { return program + " [OPTIONS]" }
        let many = (operands.maximum ?? .max) > 1 ? "..." : ""
        let name = operands.minimum == 0 ? "[\(operands.name)\(many)]" : operands.name + many
        return "\(program) [OPTIONS] \(name)"
    }

    /// Where the right column begins: behind the widest option that is not out of line.
    private var columnOfHelp: Int {
        let widths = visibleOptions.map { $0.synopsis.count }.filter { $0 <= 28 }
        return (widths.max() ?? 20) + 4
    }

    private func rows(of option: SettingDeclaration, column: Int, width: Int) -> [String] {
        let text = wrapped(option.help, to: max(width - column, 24))
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

extension [String] {
    /// The texts, each where it stands first.
    var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
