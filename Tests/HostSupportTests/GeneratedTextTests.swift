import HostSupport
import Testing

/// The texts that programs write for packages, in the real shells and in `man`.
///
/// What needs a shell that is not installed is skipped, and reported so.
struct GeneratedTextTests {
    /// The program is a shell function of the same name, which lists two plugins.
    private static let program = """
        NAME       KIND
        console    reporter
        jsonlines  reporter

        Searched, in this order:
        """
    private enum Level: String, CaseIterable { case low, high }
    private enum Kind: String, CaseIterable { case red, green }
    private static let level = Setting("level", .word("WORD", of: Level.allCases), "How much.")
    private static let syntax = CommandLineSyntax(
        program: "tally-sample",
        summary: "Samples it's [best]: everything. Then more.",
        operands: .init("ARCHIVE", minimum: 0, maximum: nil, help: ".starts with a dot, and 'quotes' \\ and -."),
        commands: [
            CommandLineSyntax(
                program: "tally-sample plugin",
                summary: "Switches plugins.",
                operands: .init("PLUGIN", minimum: 1, maximum: 1, help: "Which one."),
                settings: [level]
            ),
            CommandLineSyntax(
                program: "tally-sample tell",
                summary: "Tells a word.",
                operands: .init("WORD", minimum: 1, maximum: nil, help: "Which.", words: ["pause", "quit"]),
                settings: []
            ),
        ],
        settings: [
            Setting("kind", short: "k", .word("KIND", of: Kind.allCases), "Takes [one]: this."),
            Setting("plugins", .list("NAME,..."), "Uses them."),
            Setting("plugin-dir", .text("DIR"), in: "Places", "It's there.").repeatable(),
            Setting("secret", .text("WORD"), isHidden: true, "Not for everybody."),
        ],
        epilogue: """
            Some words.

            Examples:
              tally-sample 'a' \\ --kind red
            Last words.
            """
    )

    private func text(_ kind: GeneratedText) -> String {
        kind.text(for: Self.syntax, version: "1.2.3", date: "2026-01-31")
    }

    @Test("No text names a hidden option, and all name the others", arguments: GeneratedText.allCases)
    func hidden(kind: GeneratedText) {
        let text = text(kind).replacing("\\-", with: "-")
        #expect(!text.contains("secret"))
        #expect(!text.contains("Write a completion script"))
        for name in ["kind", "plugins", "plugin-dir", "level"] {
            #expect(text.contains(name), "\(name)")
        }
        #expect(!Self.syntax.help().contains("secret"))
        #expect(Self.syntax.help().contains("plugin  Switches plugins."))
    }

    @Test("A command's name chooses its own command line, from the first argument alone")
    func commands() throws {
        let (chosen, rest) = Self.syntax.chosen(by: ["plugin", "--level", "low", "x"])
        guard case .run(let arguments) = try chosen.parse(rest) else {
            Issue.record("not a run")
            return
        }
        #expect(arguments.program == "tally-sample plugin")
        #expect(arguments[Self.level] == .low)
        #expect(arguments.operands == ["x"])
        #expect(Self.syntax.chosen(by: ["--kind", "plugin"]).syntax.program == "tally-sample")
        #expect(Self.syntax.chosen(by: []).syntax.program == "tally-sample")
    }

    @Test("What to generate is one of the known words")
    func words() throws {
        for kind in GeneratedText.allCases {
            #expect(try Self.syntax.parse(["--generate", kind.rawValue]) == .generate(kind))
        }
        #expect(
            throws: UsageError.badValue(
                option: "--generate",
                value: "csh",
                expected: "one of bash, zsh, fish, man, markdown"
            )
        ) {
            try Self.syntax.parse(["--generate=csh"])
        }
    }

    /// A line to complete at its end, and what has to be offered.
    private static let lines: [([String], [String])] = [
        (["--ki"], ["--kind"]),
        (["--kind", ""], ["red", "green"]),
        (["-k", "g"], ["green"]),
        (["--plugins", "c"], ["console"]),
        (["--plugins", "console,j"], ["console,jsonlines"]),
        (["pl"], ["plugin"]),
        (["plugin", "--le"], ["--level"]),
        (["plugin", "--level", ""], ["low", "high"]),
        (["plugin", "--ki"], []),
        (["plugin", "j"], ["jsonlines"]),
        (["tell", "q"], ["quit"]),
        (["--kind", "red", "--plugin-d"], ["--plugin-dir"]),
    ]

    @Test("bash offers options, values, plugins and commands", arguments: lines)
    func bash(words: [String], expected: [String]) async {
        let line = ["tally-sample"] + words
        let script = """
            \(text(.bash))
            tally-sample() { cat <<'END'
            \(Self.program)
            END
            }
            COMP_WORDS=(\(line.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=\(words.count)
            _tally_sample tally-sample '\(line[words.count])' '\(line[words.count - 1])'
            ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
            """
        let found = await ShellRun.output(of: script, in: "bash").split(separator: "\n").map(String.init)
        #expect(found.sorted() == expected.sorted())
    }

    @Test("bash finds the value behind an equals sign, which is a word of its own there")
    func equalsSign() async {
        for (tail, word) in [("--kind = g", "g"), ("--kind =", "=")] {
            let words = ["tally-sample"] + tail.split(separator: " ").map(String.init)
            let script = """
                \(text(.bash))
                COMP_WORDS=(\(words.joined(separator: " ")))
                COMP_CWORD=\(words.count - 1)
                _tally_sample tally-sample '\(word)' '\(words[words.count - 2])'
                echo "${COMPREPLY[*]}"
                """
            #expect(await ShellRun.output(of: script, in: "bash") == (word == "g" ? "green\n" : "red green\n"))
        }
    }

    @Test(
        "fish offers options, values, plugins and commands",
        .enabled(if: ShellRun.has("fish"), "fish is not installed"),
        arguments: lines
    )
    func fish(words: [String], expected: [String]) async {
        let script = """
            \(text(.fish))
            function tally-sample; echo '\(Self.program)'; end
            complete -C '\((["tally-sample"] + words).joined(separator: " "))'
            """
        let found = await ShellRun.output(of: script, in: "fish --no-config").split(separator: "\n")
            .map { String($0.prefix { $0 != "\t" }) }
        #expect(found.sorted() == expected.sorted())
    }

    @Test(
        "zsh offers options, values, plugins and commands",
        .enabled(if: ShellRun.has("zsh"), "zsh is not installed"),
        arguments: lines.filter { $0.1.count == 1 }
    )
    func zsh(words: [String], expected: [String]) async {
        let folder = TemporaryFolder()
        let file = folder.write("_tally-sample", text(.zsh))
        let found = await completedByZsh([words], setup: "autoload -Uz compinit && compinit -u -D\nsource '\(file)'")
        var whole = ["tally-sample"] + words
        whole[words.count] = expected[0]
        #expect(found.count == 1 && found[0].hasPrefix(whole.joined(separator: " ")), "\(found)")
    }

    @Test(
        "zsh finds the script by its file's name, at the first and at every later completion",
        .enabled(if: ShellRun.has("zsh"), "zsh is not installed")
    )
    func zshAutoload() async {
        let folder = TemporaryFolder()
        folder.write("_tally-sample", text(.zsh))
        let setup = "fpath=('\(folder.path)' $fpath)\nautoload -Uz compinit && compinit -u -D"
        let found = await completedByZsh([["--kind", "g"], ["--kind", "r"], ["plugin", "--le"]], setup: setup)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
        #expect(found == ["tally-sample --kind green", "tally-sample --kind red", "tally-sample plugin --level="])
    }

    /// What the lines become when somebody presses the tabulator key in a zsh on a terminal.
    private func completedByZsh(_ lines: [[String]], setup: String) async -> [String] {
        let folder = TemporaryFolder()
        let file = folder.write(
            "setup",
            """
            PS1='> '
            \(setup)
            tally-sample() { cat <<'END'
            \(Self.program)
            END
            }
            show() { print -r -- "<<$BUFFER>>"; BUFFER=; zle accept-line }
            zle -N show
            bindkey '^X' show
            print ready
            """
        )
        let presses = lines.map { words in
            """
            zpty -n -w shell $'\((["tally-sample"] + words).joined(separator: " "))\\t\\C-x'
            zpty -r -m shell text '*<<*>>*'
            print -r -- "${${text##*<<}%%>>*}"
            """
        }
        let script = """
            zmodload zsh/zpty
            zpty shell 'TERM=vt100 zsh -f -i'
            zpty -w shell 'source \(file)'
            zpty -r -m shell text '*ready*'
            \(presses.joined(separator: "\n"))
            zpty -d shell
            """
        return await ShellRun.output(of: script, in: "timeout 60 zsh -f").split(separator: "\n").map(String.init)
    }

    @Test(
        "man shows the page without a warning",
        .enabled(if: ShellRun.has("man") && ShellRun.has("groff"), "man is not installed")
    )
    func man() async {
        let folder = TemporaryFolder()
        let page = folder.write("page.1", text(.man))
        #expect(await ShellRun.output("MANWIDTH=80 man -l --warnings '\(page)' 2>&1 >/dev/null") == "")
        let shown = await ShellRun.output("MANWIDTH=80 MAN_KEEP_FORMATTING= man -l '\(page)' | col -b")
        for part in [
            "tally-sample - Samples it's [best]", "-k, --kind KIND", "May be given several times.",
            ".starts with a dot, and 'quotes' \\ and -.", "tally-sample 'a' \\ --kind red", "Tally 1.2.3", "2026-01-31",
            "tally-sample plugin",
        ] {
            #expect(shown.contains(part), "\(part) in \(shown)")
        }
    }

    @Test(
        "mandoc finds nothing to warn of",
        .enabled(if: ShellRun.has("mandoc"), "mandoc is not installed")
    )
    func mandoc() async {
        let folder = TemporaryFolder()
        let page = folder.write("page.1", text(.man))
        #expect(await ShellRun.output("mandoc -T lint -W warning '\(page)' 2>&1") == "")
    }
}
