internal import ChildPrograms
internal import Testing

/// What is written is never what is read.
struct OverwriteTests {
    private let media = TestMedia.shared
    private let simulated = SimulatedPlayer()
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    /// Runs the player, which has to refuse and to leave the files as they are.
    private func expectRefusal(_ arguments: [String], says text: String, keeps paths: [String]) async throws {
        let before = try paths.map { try TestFile.bytes($0) }
        let result = try await ChildProgram.run(arguments)
        #expect(result.code == 73, "\(result.errors)")
        #expect(result.errors.contains("tally-player: error: cannot create "), "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(!result.errors.contains("loading"))
        #expect(try paths.map { try TestFile.bytes($0) } == before)
    }

    @Test(
        "The media that is played is not written over, under whatever name",
        arguments: ["--archive", "--junit", "--store"]
    )
    func source(option: String) async throws {
        try folder.copy(media.clip, as: "in.mp4")
        let clip = folder.file("in.mp4")
        let text = "it is the media that is played; name another file"
        try await expectRefusal([clip, option, clip], says: text, keeps: [clip])
        try await expectRefusal(["file://" + clip, option, folder.path + "/./in.mp4"], says: text, keeps: [clip])
        let other = folder.file("other")
        try #require(folder.link("other", to: clip))
        try await expectRefusal([clip, option, other], says: text, keeps: [clip])
    }

    @Test("Nor is the script, what it plays, the configuration, the chapters, the ads and the persistent values")
    func otherFiles() async throws {
        let script = folder.write("script", "1 load \(folder.file("later.mp4"))\n")
        let later = folder.write("later.mp4", "media")
        let config = folder.write("tally.json5", "{}")
        let chapters = folder.write("chapters.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nOne\n")
        let ads = folder.write("ads.xml", "<VAST/>")
        let store = folder.write("store.json", "{}")
        let arguments = [
            media.clip, "--script", script, "--config", config, "--chapters", chapters, "--ads", ads, "--store", store,
        ]
        let files = [script, later, config, chapters, ads, store]
        let named = [
            (script, "it is the script"), (later, "it is media that the script plays"),
            (config, "it is the configuration file"), (chapters, "it is the file of chapters"),
            (ads, "it is the document of ads"), (store, "it is the file of persistent values"),
        ]
        for (path, text) in named {
            try await expectRefusal(arguments + ["--archive", path], says: text, keeps: files)
            try await expectRefusal(arguments + ["--junit", path], says: text, keeps: files)
        }
    }

    @Test("A plugin's configuration names none of them either")
    func plugins() async throws {
        try folder.copy(media.clip, as: "in.mp4")
        let clip = folder.file("in.mp4")
        try await expectRefusal(
            [clip, "--plugins", "jsonlines", "--set", "plugins.jsonlines.config.path=\(clip)"],
            says: "cannot create \(clip): it is the media that is played",
            keeps: [clip]
        )
    }

    @Test("A tracker may be told how the media is called")
    func trackers() throws {
        let plugins = try PluginFolder(plugins: ["nielsen-dcr"])
        let result = try simulated.run(
            [
                simulated.clip, "--plugins", "nielsen-dcr", "--duration", "0.3", "--quiet",
                "--set", "plugins.nielsen-dcr.config.appid=P10DF14BA-937E-436D-99DF-ED39A0422387",
                "--set", "plugins.nielsen-dcr.config.content.assetid=\(simulated.clip)",
            ],
            plugins: plugins.path
        )
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test("Archive and JUnit's file are two files")
    func twoOutputs() async throws {
        let path = folder.file("out")
        try await expectRefusal([media.clip, "-a", path, "--junit", path], says: "it is the archive too", keeps: [])
        try await expectRefusal(
            [media.clip, "-a", path, "--junit", folder.path + "/./out"],
            says: "it is the archive too",
            keeps: []
        )
        _ = folder.write("out", "")
        try #require(folder.link("link", to: path))
        try await expectRefusal(
            [media.clip, "-a", path, "--junit", folder.file("link")],
            says: "it is the archive too",
            keeps: [path]
        )
    }

    @Test("An archive takes the place of an archive or of an empty file, and of no other file")
    func noArchive() async throws {
        let notes = folder.write("notes.txt", "something else")
        try await expectRefusal(
            [media.clip, "--archive", notes],
            says: "cannot create \(notes): it is there already and is no archive; name another file",
            keeps: [notes]
        )
        func expectRecorded(_ archive: String) throws {
            let result = try simulated.run([simulated.clip, "--archive", archive, "--duration", "0.3", "--quiet"])
            #expect(result.code == 0, "\(result.errors)")
            #expect(try RecordedRun(archive).events("video_load").count == 1)
        }
        let empty = folder.write("empty.tally", "")
        try expectRecorded(empty)
        // A copy: a program that another test starts holds the last one's lock from its fork to its exec.
        try expectRecorded(folder.copy(empty, as: "archive.tally"))
    }
}
