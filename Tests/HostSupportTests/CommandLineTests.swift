import HostSupport
import Testing
import TextEncoding

struct CommandLineTests {
    private enum Level: String { case low, high }
    private static let config = Setting("config", short: "c", .text("FILE"), "Read the configuration from FILE.")
    private static let set = Setting("set", .text("KEY=VALUE"), "Set a single key.").repeatable()
    private static let plugins = Setting("plugins", .list("LIST"), "Use these plugins.")
    private static let quiet = Setting(flag: "quiet", short: "q", in: "Output", "Write no summary.")
    private static let loud = Setting(flag: "no-sound", says: false, key: "host.sound", in: "Output", "Play no sound.")
    private static let count = Setting("count", .integer("COUNT", 1...20), key: "host.count", in: "Output", "Say more.")
        .unlessGiven(2)
    private static let ratio = Setting(
        "ratio",
        .number("N", 0.5...(.infinity)),
        in: "Output",
        excludes: ["count"],
        "Say less."
    )
    private static let level = Setting(
        "level",
        .word("WORD", of: [Level.low, .high]),
        in: "Output",
        needs: ["count"],
        "How."
    )
    private let syntax = CommandLineSyntax(
        program: "tally-sample",
        summary: "Does something with archives.",
        operands: .init("ARCHIVE", minimum: 1, maximum: 2, help: "Archives; - is standard input."),
        settings: [config, set, plugins, quiet, loud, count, ratio, level],
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
            #expect(found[Self.config] == "a b")
            #expect(found.operands == ["x"])
        }
        #expect(try arguments("x", "--config=")[Self.config] == "")
        #expect(try arguments("x", "--config", "-")[Self.config] == "-")
        #expect(try arguments("x", "-c", "-5")[Self.config] == "-5")
        #expect(try arguments("x")[Self.config] == nil)
    }

    @Test("Letters without values can be put together, the last one may take a value")
    func letters() throws {
        let found = try arguments("-qcfile", "x")
        #expect(found[Self.quiet])
        #expect(found[Self.config] == "file")
    }

    @Test("A repeatable option keeps all values in order")
    func repeated() throws {
        #expect(try arguments("--set", "a=1", "x", "--set=b=2")[Self.set] == ["a=1", "b=2"])
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
            (["-qzc", "x"], "unknown option -z"),
            (["-config", "x"], "unknown option -config; did you mean --config?"),
            (["-quiet", "x"], "unknown option -quiet; did you mean --quiet?"),
            (["x", "--config"], "the option --config needs a value: --config FILE"),
            (["x", "-c", "--quiet"], "the option -c needs a value: -c FILE"),
            (["x", "--quiet=yes"], "the option --quiet takes no value, found \"yes\""),
            (["x", "-c", "a", "--config", "b"], "the option --config is given twice; give it once"),
            (["a", "b", "c"], "unexpected argument \"c\"; there may be 2 at most"),
            (["-q"], "ARCHIVE is missing"),
            (["x", "--count", "0"], "the option --count has the value \"0\", expected an integer from 1 to 20"),
            (["x", "--ratio", "nan"], "the option --ratio has the value \"nan\", expected a number, 0.5 or more"),
            (["x", "--level", "mid"], "the option --level has the value \"mid\", expected one of low, high"),
            (["x", "--level", "low"], "--count COUNT is missing"),
            (
                ["x", "--ratio", "1", "--count", "1"],
                "the option --ratio has the value \"1\", expected no --count with it"
            ),
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

    @Test("The command line goes before the configuration, and that before the default")
    func typedValues() throws {
        let found = try arguments("x", "--count", "12", "--level=low", "--set", "a,b", "--set", "c")
        #expect(found[Self.count, in: ["count": 7]] == 12)
        #expect(found[Self.level] == .low && found[Self.ratio] == nil)
        #expect(found[Self.set] == ["a,b", "c"] && found[Self.plugins] == nil)
        #expect(try arguments("x", "--plugins", "a,b")[Self.plugins] == ["a", "b"])
        let nothing = try arguments("x")
        #expect(nothing[Self.count, in: ["count": 7]] == 7 && nothing[Self.count] == 2)
        #expect(nothing[Self.loud] && !nothing[Self.loud, in: ["sound": false]])
        #expect(try !arguments("x", "--no-sound")[Self.loud, in: ["sound": true]])
    }

    @Test("An explanation shows what was given, by keys where there are any")
    func explained() throws {
        let found = try arguments("x", "y", "--no-sound", "--count", "3", "--set", "a=1")
        #expect(
            found.explained == [
                EffectiveSetting("archive", ["x", "y"], "ARCHIVE"),
                EffectiveSetting("host.sound", false, "--no-sound"), EffectiveSetting("host.count", 3, "--count"),
            ]
        )
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
                  --no-sound       Play no sound.
                  --count COUNT    Say more. From 1 to 20; 2
                                   unless given.
                  --ratio N        Say less. 0.5 or more.
                  --level WORD     How.

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
