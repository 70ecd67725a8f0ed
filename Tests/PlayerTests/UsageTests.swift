import ChildPrograms
import Testing

/// The command line, the configuration and the script: what is wrong is told before anything is played.
struct UsageTests {
    private let folder = TemporaryFolder()

    @Test(
        "A wrong command line is answered with its own exit code",
        arguments: [
            ([], "SOURCE is missing"),
            (["--nope", "a"], "unknown option --nope"),
            (["--plugin", "x", "a"], "unknown option --plugin; did you mean --plugins?"),
            (["a", "--repeat", "0"], "the option --repeat has the value \"0\""),
            (["a", "--vast-tracking"], "--ads LOCATION is missing"),
            (["a", "--duration", "-1"], "the option --duration has the value \"-1\""),
            (["a", "--duration", "1e18"], "has the value \"1e18\", expected a number from 0 to 31536000"),
            (["a", "--retry-delay", "9.3e9"], "has the value \"9.3e9\", expected a number from 0 to 86400"),
            (["a", "--stream-type", "film"], "expected one of vod, live, linear"),
            (["a", "--audio-language", "0"], "expected a language such as de, or a number from 1 on"),
            (["a", "--audio-language", ""], "expected a language such as de, or a number from 1 on"),
            (["a", "--subtitle-language", "-1"], "expected a language such as de, a number from 1 on, or off"),
            (["--list-plugins", "a"], "unexpected argument \"a\""),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        let result = try await ChildProgram.run(arguments)
        #expect(result.code == 64)
        #expect(result.errors.contains(message))
        #expect(result.errors.contains("Try 'tally-player --help'"))
    }

    @Test(
        "What is wrong in a script is told with file and line",
        arguments: [
            ("1 pause\nsoon play", 2, "\"soon\" is no time"),
            ("@1", 1, "a command is missing behind the time"),
            ("1 pasue 3", 1, "unknown command \"pasue\"; did you mean pause?"),
            ("# none\n\n1 seek", 3, "seek needs a number of seconds, found nothing"),
            ("1 seek -3", 1, "seek needs a number of seconds, found \"-3\""),
            ("1 rate 0", 1, "rate needs a number from 0.01 to 16.0, found \"0\""),
            ("1 volume 2", 1, "volume needs a number from 0.0 to 1.0"),
            ("1 size 1280", 1, "size needs width and height such as 1280x720"),
            ("1 load", 1, "load needs a file or an address"),
            ("1 mute", 1, "mute needs on or off, found nothing"),
            ("1 pin fast", 1, "pin needs a bitrate in bit/s, or auto"),
            ("1 disable nobody", 1, "no plugin has the name \"nobody\"; none is configured"),
            ("1 interrupt", 1, "interrupt needs one word: a reason such as call, or end"),
            ("1 custom", 1, "custom needs a name"),
            ("1 custom mark shelf", 1, "\"shelf\" is no attribute; write key=value"),
            ("1 custom \"mark", 1, "the quotes are not closed"),
            ("1 stop now", 1, "stop needs nothing behind it, found \"now\""),
        ]
    )
    func script(text: String, line: Int, message: String) async throws {
        let path = folder.write("script", text)
        let result = try await ChildProgram.run(["/nowhere/clip.mp4", "--script", path])
        #expect(result.code == 78)
        #expect(result.errors.contains("tally-player: error: \(path):\(line): \(message)"), "\(result.errors)")
        #expect(!result.errors.contains("loading"))
    }

    @Test("A script that cannot be read is no input")
    func noScript() async throws {
        let result = try await ChildProgram.run(["/nowhere/clip.mp4", "--script", "/nowhere/script"])
        #expect(result.code == 66)
        #expect(result.errors.contains("/nowhere/script: cannot read the script: No such file or directory"))
    }

    @Test("A wrong configuration is told with file, line and key")
    func configuration() async throws {
        let config = folder.write("tally.json5", "{\n  player: { bufferSecnds: 3 },\n}")
        let unknown = try await ChildProgram.run(["/nowhere/clip.mp4", "--config", config])
        #expect(unknown.code == 78)
        #expect(unknown.errors.contains("\(config):2:"), "\(unknown.errors)")
        #expect(unknown.errors.contains("player.bufferSecnds: the key \"bufferSecnds\" is not known; did you mean"))
        let plugins = folder.write("plugins.json5", "{ plugins: {\n jsonlines: { config: { path: 7 } } } }")
        let ofPlugin = try await ChildProgram.run(["/nowhere/clip.mp4", "--config", plugins])
        #expect(ofPlugin.code == 78)
        #expect(ofPlugin.errors.contains("\(plugins):2:"), "\(ofPlugin.errors)")
        #expect(ofPlugin.errors.contains("plugins.jsonlines.config.path"))
    }
}
