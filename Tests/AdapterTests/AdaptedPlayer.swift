import ChildPrograms
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// A player of others with the adapter that it loads, and what it was recorded to do.
struct AdaptedPlayer {
    enum Kind: String {
        case mpv
        case gstPlay = "gst-play-1.0"
    }

    let folder = TemporaryFolder()
    let kind: Kind
    var archives: String { folder.file("archives") }

    init(_ kind: Kind) { self.kind = kind }

    /// The plugins that are used: each file of a folder is opened and hashed.
    private static let plugins: TemporaryFolder = {
        let folder = TemporaryFolder()
        for name in ["new-relic-video", "discard"] {
            _ = try? folder.copy(PluginFiles.plugin(name), as: "lib\(name).tallyplugin.so")
        }
        return folder
    }()

    /// What GStreamer is to find the tracer by, and its registry: made once, as looking at all of its plugins takes long.
    private static let gstreamer: TemporaryFolder = {
        let folder = TemporaryFolder()
        folder.makeFolder("plugins")
        folder.link("plugins/libgsttally.so", to: PluginFiles.folder + "/libgsttally.so")
        return folder
    }()

    /// The environment of a program on GStreamer with the tracer and these parameters.
    static func traced(_ parameters: String) -> [String: String] {
        [
            "GST_TRACERS": "tally(\(parameters))", "GST_PLUGIN_PATH": gstreamer.file("plugins"),
            "GST_REGISTRY": gstreamer.file("registry.bin"), "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    /// Starts the player, without a screen and a loudspeaker, on sources, with plugins that run and further options.
    func start(_ sources: [String], plugins: String = "new-relic-video", _ more: [String] = []) throws -> ChildProgram {
        let tracked = ["plugins": plugins, "plugin-folder": Self.plugins.path, "archive": archives + "/"]
        let environment = ["SWIFT_BACKTRACE": "enable=no", "TALLY_CACHE": folder.file("cache")]
        switch kind {
        case .mpv:
            let options = tracked.map { "--script-opts-append=tally-\($0)=\($1)" }.sorted()
            let arguments =
                ["--no-config", "--vo=null", "--ao=null", "--no-terminal"] + options
                + ["--script=\(PluginFiles.folder)/libmpv-tally.so"] + more + ["--"] + sources
            return try ChildProgram("/usr/bin/mpv", arguments, environment: environment)
        case .gstPlay:
            let parameters = tracked.map { "\($0)=\"\($1)\"" }.sorted().joined(separator: ",")
            let arguments =
                ["--videosink=fakevideosink", "--audiosink=fakesink sync=true", "--no-interactive", "--quiet"] + more
                + sources
            return try ChildProgram(
                "/usr/bin/gst-play-1.0",
                arguments,
                environment: environment.merging(Self.traced(parameters)) { $1 }
            )
        }
    }

    /// Plays to the end, and gives what was recorded, but for samples.
    func play(_ sources: [String], _ more: [String] = []) async throws -> [Event] {
        let said = try await start(sources, more).outcome()
        for complaint in ["nothing is tracked", "the signal '"] {
            #expect(said.errors.contains(complaint) == false, "\(said.errors)")
        }
        return try events.filter { !$0.name.hasSuffix("_sample") }
    }

    /// One event of the archive.
    struct Event: CustomStringConvertible {
        let name: String
        let line: JSONValue

        var attributes: JSONValue { line["attributes"] ?? [:] }
        var description: String { name }
    }

    /// What the only archive has.
    var events: [Event] {
        get throws {
            let names = TemporaryFolder.names(in: archives)
            let archive = try #require(names.count == 1 ? names.first : nil, "\(names)")
            return try TestFile.text(archives + "/" + archive).split(separator: "\n").compactMap { line in
                let line = try JSONParser().parse(String(line))
                return (line["event"] ?? line["end"])?.string.map { Event(name: $0, line: line) }
            }
        }
    }
}
