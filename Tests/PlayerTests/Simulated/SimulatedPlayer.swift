internal import AdDocuments
internal import ChildPrograms
internal import Glibc
internal import HostSupport
internal import PlaybackEngine
internal import SimulatedPlayback
internal import Synchronization
internal import Tally
internal import TextEncoding
internal import tally_player

/// The program in this process, with simulated engines on a virtual clock, from its command line to its exit code.
struct SimulatedPlayer {
    /// What it can open.
    let web = SimulatedWeb()
    private let folder = TemporaryFolder()

    /// No plugin is remembered in the user's own quarantine.
    private static let hasNoState = unsafe setenv("TALLY_STATE", "", 1) == 0

    init() {
        precondition(Self.hasNoState, "the environment cannot be changed")
        web.put(.clip, at: clip)
        web.put(SimulatedMedia(.garbage), at: garbage)
    }

    /// Four seconds of picture and sound with a title.
    var clip: String { folder.file("clip.mp4") }
    /// No media.
    var garbage: String { folder.file("garbage.mp4") }
    /// The script of a recorded run.
    var script: String { folder.file("script") }

    /// Runs the program to its end; no plugins are found but those of a folder.
    func run(_ arguments: [String], plugins: String? = nil) throws -> ChildProgram.Outcome {
        let platform = SimulatedPlatform(web)
        let written = Written()
        var surroundings = PlayerSurroundings()
        surroundings.platform = platform
        surroundings.status = SharedProgressLine { text in written.text.withLock { $0 += text } }
        surroundings.takesSignals = false
        surroundings.startRun = { telemetry, delegate, archive throws(TelemetryError) in
            try platform.startRun(telemetry, delegate, archive)
        }
        folder.makeFolder("plugins")
        let words = arguments + ["--plugin-dir", plugins ?? folder.file("plugins")]
        guard case .run(let parsed) = try PlayerSyntax.syntax.parse(words) else {
            preconditionFailure("a simulated player only plays")
        }
        let code = PlayerCommand(parsed, in: surroundings).run()
        platform.finish()
        return ChildProgram.Outcome(code: code.rawValue, output: "", errors: written.text.withLock { $0 })
    }

    /// Runs the program, and reads what it recorded.
    func record(
        _ arguments: [String],
        script: String? = nil,
        plugins: String? = nil
    ) throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        // An archive of its own: a program that another test starts holds the last one's lock from its fork to its exec.
        let recording = TemporaryFolder()
        let archive = recording.file("run.tally")
        let lines = script.map { ["--script", folder.write("script", $0)] } ?? []
        let result = try run(arguments + ["--archive", archive] + lines, plugins: plugins)
        return try withExtendedLifetime(recording) { (try RecordedRun(archive), result) }
    }

    private final class Written: Sendable {
        let text = Mutex("")
    }
}

extension SimulatedMedia {
    /// What `TestMedia.clip` is to the engine.
    static var clip: SimulatedMedia {
        var clip = SimulatedMedia(durationMs: 4000)
        clip.tags.title = "Test card"
        clip.tags.videoCodec = "H.264"
        return clip
    }

    /// What cannot be opened, or is cut short.
    static func truncated(atMs endMs: Int64) -> SimulatedMedia {
        var clip = SimulatedMedia.clip
        clip.endMs = endMs
        return clip
    }
}

/// An ad server with creatives of a second and more.
struct SimulatedAdServer {
    let web: SimulatedWeb

    init(_ web: SimulatedWeb) {
        self.web = web
        for (name, text) in AdDocuments.all { web.put(.init(text), at: url(name)) }
        for name in ["ad1.mp4", "ad2.mp4"] { web.put(SimulatedMedia(durationMs: 1200), at: url(name)) }
        web.put(SimulatedMedia(durationMs: 4800), at: url("long.mp4"))
        web.put(SimulatedMedia(.garbage), at: url("garbage.mp4"))
    }

    func url(_ name: String) -> String { "http://ads.example/" + name }

    func write(_ name: String, _ text: String) { web.put(.init(text), at: url(name)) }

    /// What was asked for below `track/`, in its order.
    var requests: [String] {
        web.requests.filter { $0.hasPrefix(url("track/")) }.map { String($0.dropFirst(url("track/").count)) }
    }

    /// The same without the queries.
    var tracked: [String] { requests.map { String($0.prefix { $0 != "?" }) } }
}
