import HostSupport
import Testing

struct CommandLineTests {
    private let syntax = CommandLineSyntax(
        program: "tally-sample",
        summary: "Does something with archives.",
        operands: .init("ARCHIVE", minimum: 1, maximum: 2, help: "Archives; - is standard input."),
        options: [
            CommandLineOption("config", short: "c", value: "FILE", help: "Read the configuration from FILE."),
            CommandLineOption("set", value: "KEY=VALUE", isRepeatable: true, help: "Set a single key."),
            CommandLineOption("plugins", value: "LIST", help: "Use these plugins."),
            CommandLineOption("quiet", short: "q", section: "Output", help: "Write no summary."),
            CommandLineOption("verbose", short: "v", isRepeatable: true, section: "Output", help: "Say more."),
        ],
        epilogue: "Example: tally-sample a.jsonl"
    )

    private func arguments(_ texts: String...) throws -> CommandLineArguments {
        guard case .run(let arguments) = try syntax.parse(texts) else { throw UsageError.missingArgument("a run") }
        return arguments
    }

    private func error(_ texts: [String]) -> UsageError? {
        do throws(UsageError) {
            _ = try syntax.parse(texts)
            return nil
        } catch {
            return error
        }
    }

    @Test("A value may follow its option, an equals sign, or the letter")
    func values() throws {
        for form in [["--config", "a b"], ["--config=a b"], ["-c", "a b"], ["-ca b"]] {
            guard case .run(let found) = try syntax.parse(form + ["x"]) else {
                Issue.record("not a run")
                continue
            }
            #expect(found.value("config") == "a b")
            #expect(found.operands == ["x"])
        }
        #expect(try arguments("x", "--config=").value("config") == "")
        #expect(try arguments("x", "--config", "-").value("config") == "-")
        #expect(try arguments("x", "-c", "-5").value("config") == "-5")
        #expect(try arguments("x").value("config") == nil)
    }

    @Test("Letters without values can be put together, the last one may take a value")
    func letters() throws {
        let found = try arguments("-qvvcfile", "x")
        #expect(found.isSet("quiet"))
        #expect(found.values("verbose").count == 2)
        #expect(found.value("config") == "file")
    }

    @Test("A repeatable option keeps all values in order")
    func repeated() throws {
        #expect(try arguments("--set", "a=1", "x", "--set=b=2").values("set") == ["a=1", "b=2"])
    }

    @Test("Two dashes end the options, one dash alone is an argument")
    func endOfOptions() throws {
        #expect(try arguments("-q", "--", "--config", "-").operands == ["--config", "-"])
        #expect(try arguments("-").operands == ["-"])
    }

    @Test(
        "A wrong command line says what is wrong and what to do",
        arguments: [
            (["--plugin", "a", "x"], "unknown option --plugin; did you mean --plugins?"),
            (["--confgi", "a", "x"], "unknown option --confgi; did you mean --config?"),
            (["--zzz", "x"], "unknown option --zzz"),
            (["-z", "x"], "unknown option -z"),
            (["-qzv", "x"], "unknown option -z"),
            (["-config", "x"], "unknown option -config; did you mean --config?"),
            (["-quiet", "x"], "unknown option -quiet; did you mean --quiet?"),
            (["x", "--config"], "the option --config needs a value: --config FILE"),
            (["x", "-c", "--quiet"], "the option -c needs a value: -c FILE"),
            (["x", "--quiet=yes"], "the option --quiet takes no value, found \"yes\""),
            (["x", "-c", "a", "--config", "b"], "the option --config is given twice; give it once"),
            (["a", "b", "c"], "unexpected argument \"c\"; there may be 2 at most"),
            (["-q"], "ARCHIVE is missing"),
        ] as [([String], String)]
    )
    func wrong(texts: [String], problem: String) {
        #expect(error(texts)?.problem == problem)
        #expect(error(texts)?.exitCode == .usage)
        #expect(
            error(texts)?.message(for: "tally-sample")
                == "tally-sample: \(problem)\nTry 'tally-sample --help' for all options."
        )
    }

    @Test("Values are checked where they are read")
    func typedValues() throws {
        let found = try arguments("x", "--config", "12", "--set", "a,b", "--set", "c")
        #expect(try found.integer("config", in: 1...20) == 12)
        #expect(try found.number("config") == 12)
        #expect(try found.integer("plugins") == nil)
        #expect(found.list("set") == ["a", "b", "c"])
        #expect(throws: UsageError.badValue(option: "--config", value: "12", expected: "an integer, 13 or more")) {
            try found.integer("config", in: 13...Int.max)
        }
        #expect(throws: UsageError.badValue(option: "--config", value: "12", expected: "one of a, b")) {
            try found.choice("config", of: ["a", "b"])
        }
    }

    @Test("Help and version win over what follows them")
    func helpAndVersion() throws {
        #expect(try syntax.parse(["--help", "--zzz"]) == .help)
        #expect(try syntax.parse(["-qh"]) == .help)
        #expect(try syntax.parse(["--version"]) == .version(json: false))
        #expect(try syntax.parse(["--version", "--json"]) == .version(json: true))
    }

    @Test("The help is made from the declaration, aligned and wrapped")
    func help() {
        let expected = """
            Usage: tally-sample [OPTIONS] ARCHIVE...

            Does something with archives.

            ARCHIVE
              Archives; - is standard input.

            Output:
              -q, --quiet          Write no summary.
              -v, --verbose        Say more. May be given
                                   several times.

            Options:
              -c, --config FILE    Read the configuration
                                   from FILE.
                  --set KEY=VALUE  Set a single key. May be
                                   given several times.
                  --plugins LIST   Use these plugins.
              -h, --help           Show this help and exit.
                  --version        Show the version and
                                   exit.

            Example: tally-sample a.jsonl

            """
        #expect(syntax.help(width: 48) == expected)
        #expect(syntax.help(width: 48).split(separator: "\n").allSatisfy { $0.count <= 48 })
    }
}
