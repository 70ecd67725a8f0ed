import HostSupport
import Tally
import Testing
import TextEncoding

/// One parser for scripts, the command line and the socket.
struct VocabularyTests {
    private static let table: [(words: [String], command: ControlCommand)] = [
        (["play"], .playback(.play)), (["resume"], .playback(.play)),
        (["step"], .playback(.step(1))), (["step", "20"], .playback(.step(20))),
        (["pause"], .playback(.pause(milliseconds: nil))),
        (["pause", "1.5"], .playback(.pause(milliseconds: 1500))),
        (["seek", "30"], .playback(.seek(milliseconds: 30_000))),
        (["rate", "1.25"], .playback(.rate(1.25))),
        (["mute", "on"], .playback(.mute(true))),
        (["volume", "0.5"], .playback(.volume(0.5))),
        (["pin", "400000"], .playback(.pin(bitrate: 400_000))),
        (["pin", "auto"], .playback(.pin(bitrate: nil))),
        (["audio", "de-AT"], .playback(.audio("de-AT"))), (["audio", "2"], .playback(.audio("2"))),
        (["subtitles", "de"], .playback(.subtitles("de"))), (["subtitles", "off"], .playback(.subtitles("off"))),
        (["fullscreen", "on"], .playback(.fullscreen(true))),
        (["fullscreen", "off"], .playback(.fullscreen(false))),
        (["size", "1280x720"], .playback(.size(width: 1280, height: 720))),
        (["connection", "wifi"], .playback(.connection("wifi"))),
        (["audio-only", "on"], .playback(.audioOnly(true))), (["audio-only", "auto"], .playback(.audioOnly(nil))),
        (["load", "film.mp4"], .playback(.load("film.mp4"))),
        (["next"], .playback(.next)), (["skip-ad"], .playback(.skipAd)), (["click-ad"], .playback(.clickAd)),
        (["interrupt", "call"], .playback(.interrupt("call"))),
        (["interrupt", "end"], .playback(.interruptEnd)),
        (["consent", "out"], .playback(.consent(.refused, tracker: nil))),
        (["consent", "in", "a"], .playback(.consent(.given, tracker: "a"))),
        (
            ["custom", "mark", "shelf=7", "title=More"],
            .playback(
                .custom(
                    "mark",
                    [.init(name: "shelf", value: .int(7)), .init(name: "title", value: .string("More"))]
                )
            )
        ),
        (["stop"], .playback(.stop)), (["quit"], .playback(.stop)),
        (["enable", "a"], .plugin(.enable("a"))), (["plugin", "enable", "a"], .plugin(.enable("a"))),
        (["disable", "a"], .plugin(.disable("a"))), (["plugin", "disable", "a"], .plugin(.disable("a"))),
        (["configure", "a", #"{"n":1}"#], .plugin(.configure("a", ["n": 1]))),
        (["plugin", "list"], .plugin(.list)), (["plugin", "show", "a"], .plugin(.show("a"))),
        (["plugin", "stats"], .plugin(.stats(nil))), (["plugin", "stats", "a"], .plugin(.stats("a"))),
        (["plugin", "load", "./liba.so"], .plugin(.loadFile("./liba.so"))),
        (["plugin", "load", "liba.tallyplugin.so"], .plugin(.loadFile("liba.tallyplugin.so"))),
        (["plugin", "load", "org.x.a"], .plugin(.load("org.x.a", name: "a", configuration: [:]))),
        (
            ["plugin", "load", "a", "b", #"{"n":1}"#],
            .plugin(.load("a", name: "b", configuration: ["n": 1]))
        ),
        (["plugin", "load", "a", "{}"], .plugin(.load("a", name: "a", configuration: [:]))),
        (["plugin", "replace", "/x.so"], .plugin(.replace(file: "/x.so"))),
        (["plugin", "release", "0011aabb"], .plugin(.release(sha256: "0011aabb"))),
        (["plugin", "command", "a", "reset"], .plugin(.command("a", command: "reset", arguments: [:]))),
        (["plugin", "command", "a", "add", "[1]"], .plugin(.command("a", command: "add", arguments: [1]))),
        (["reload"], .reload), (["untap"], .untap), (["stats"], .stats), (["help"], .help),
        (["runs"], .runs), (["show", "a"], .showRun("a")),
        (["erase"], .erase),
        (["drain"], .drain(milliseconds: 10_000)), (["drain", "2"], .drain(milliseconds: 2_000)),
        (["tap"], .tap(TapFilter())),
    ]

    @Test("Each command is read from its words, and in a message from strings, numbers and objects alike")
    func commands() throws {
        for (words, command) in Self.table {
            #expect(try ControlCommand(words: words) == command, "\(words)")
            let strings = JSONValue.array(words.map { .string($0) })
            #expect(try ControlCommand(strings) == command, "\(words)")
            let values = JSONValue.array(words.map { (try? JSONParser().parse($0)) ?? .string($0) })
            // A hash that is all digits is still a hash.
            #expect(try ControlCommand(values) == command, "\(words)")
        }
    }

    @Test("Each command of the vocabulary is in the table, and the table has no other")
    func completeness() {
        let known = ControlVocabulary.entries.map { $0.words.joined(separator: " ") }
        let read = Self.table.map { entry in
            let count = entry.words[0] == "plugin" ? 2 : 1
            return entry.words.prefix(count).joined(separator: " ")
        }
        #expect(Set(known) == Set(read))
    }

    @Test(
        "What is wrong with a command is told with what is expected",
        arguments: [
            ([], "a command is missing"),
            (["pasue"], "unknown command \"pasue\"; did you mean pause?"),
            (["seek"], "seek needs a number of seconds, found nothing"),
            (["seek", "-3"], "seek needs a number of seconds, found \"-3\""),
            (["step", "0"], "step needs a whole number from 1 to 1000000000, found \"0\""),
            (["rate", "0"], "rate needs a number from 0.01 to 16.0, found \"0\""),
            (["pin", "fast"], "pin needs a bitrate in bit/s, or auto, found \"fast\""),
            (["size", "1280"], "size needs width and height such as 1280x720, found \"1280\""),
            (["size", "0x720"], "size needs width and height such as 1280x720, found \"0x720\""),
            (["fullscreen", "maybe"], "fullscreen needs on or off, found \"maybe\""),
            (["audio", "0"], "audio needs a language such as de, or a number from 1 on, found \"0\""),
            (["audio", ""], "audio needs a language such as de, or a number from 1 on"),
            (["subtitles", "0"], "subtitles needs a language such as de, a number from 1 on, or off"),
            (["subtitles", "-1"], "subtitles needs"), (["subtitles", "de\u{7}"], "subtitles needs"),
            (["load"], "load needs a file or an address, found nothing"),
            (["next", "2"], "next needs nothing behind it, found \"2\""),
            (["consent", "maybe"], "consent needs in, out or pending, and perhaps the name of a tracker"),
            (["plugin"], "plugin needs one of list, show"),
            (["plugin", "lst"], "unknown command plugin \"lst\"; did you mean list?"),
            (["plugin", "load", "a", "b", "7"], "plugin load needs a JSON object, found an integer"),
            (["plugin", "command", "a"], "plugin command needs the name of a plugin, of its command"),
            (["configure", "a", "{"], "configure: the argument is not JSON5"),
            (["tap", "evnts"], "tap needs kinds (events, records, beacons) and then any of plugin="),
            (["tap", "limit=0"], "tap needs a limit from 1 to 1000000"),
            (["stats", "now"], "stats needs nothing behind it, found \"now\""),
        ] as [([String], String)]
    )
    func problems(words: [String], message: String) {
        let error = #expect(throws: ControlError.self) { try ControlCommand(words: words) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        #expect([.unknownCommand, .invalidArgument].contains(error?.kind))
    }

    @Test(
        "A message that is none is answered with its number, where it has one",
        arguments: [
            ("{\"command\":[\"stats\"],\"request_id\":7}", 7, nil),
            ("{\"command\":[\"stats\"],\"request_id\":\"a\"}", nil, nil),
            ("{\"command\":[\"nothing\"],\"request_id\":7}", 7, .unknownCommand),
            ("{\"command\":\"stats\",\"request_id\":7}", 7, .invalidMessage),
            ("{\"command\":[\"seek\",\"x\"],\"request_id\":8}", 8, .invalidArgument),
            ("{\"request_id\":7}", 7, .invalidMessage),
            ("{\"command\":[\"stats\"],\"request_id\":[7]}", nil, .invalidMessage),
            ("{\"command\":[\"stats\"],\"async\":true}", nil, .invalidMessage),
            ("[1]", nil, .invalidMessage), ("stats", nil, .invalidMessage), ("{", nil, .invalidMessage),
        ] as [(String, Int64?, ControlError.Kind?)]
    )
    func messages(text: String, id: Int64?, code: ControlError.Kind?) {
        let request = ControlRequest(Array(text.utf8))
        #expect(request.id?.int == id)
        switch request.command {
        case .success(let command): #expect(code == nil && command == .stats)
        case .failure(let problem): #expect(problem.kind == code)
        }
    }

    @Test("A script's line keeps what is in single or double quotes together")
    func words() throws {
        let line = #"configure a '{"n": "it is"}' "b c" don't # no more"#
        #expect(try CommandWords(line).words == ["configure", "a", #"{"n": "it is"}"#, "b c", "don't"])
        #expect(throws: CommandWords.OpenQuote.self) { try CommandWords("a 'b") }
    }

    @Test(
        "A glob stands for whole names",
        arguments: [
            ("*", "anything", true), ("*", "", true), ("a*", "abc", true), ("a*", "ba", false), ("*c", "abc", true),
            ("a*b*c", "aXbYc", true), ("a*b*c", "acb", false), ("a?c", "abc", true), ("a?c", "ac", false),
            ("", "a", false), ("CONTENT_*", "CONTENT_START", true), ("**", "x", true), ("*a*a*a*b", "aaaaaaaa", false),
        ]
    )
    func globs(pattern: String, name: String, matches: Bool) {
        #expect(Glob(pattern).matches(name) == matches)
    }
}
