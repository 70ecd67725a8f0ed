internal import ChildPrograms
internal import Glibc
internal import Testing
internal import TextEncoding

/// Chapters of real media.
struct ChapterTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    private func chapters(_ run: RecordedRun) -> [String] {
        run.names.filter { $0.hasPrefix("chapter") || $0.hasPrefix("seek") || $0 == "complete" }
    }

    @Test("A film whose name is no UTF-8 is played, with its chapters, and recorded under such a name")
    func undecodedName() async throws {
        try #require(media.isComplete)
        let chapter = "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=One\n"
        let list = folder.write("chapters.ffmeta", ";FFMETADATA1\n" + chapter)
        let script = """
            set -e; cd "$1"; name="$(printf 'caf\\351')"
            ffmpeg -v error -i "$2" -i "$3" -map_metadata 1 -c copy -t 0.6 "$name.mp4"
            "$4" -q "$name.mp4" --archive "$name.tally" --archive-index; test -s "$name.tally.index"
            "$4" -q "file://$PWD/caf%E9.mp4" --archive uri.tally; cp "$name.tally" run.tally
            """
        let words = ["-c", script, "sh", folder.path, media.clip, list, "\(TestFile.products)/tally-player"]
        let result = try await ChildProgram.run("/bin/sh", words)
        #expect(result.code == 0, "\(result.errors)")
        for archive in ["run.tally", "uri.tally"] {
            let run = try RecordedRun(folder.file(archive))
            #expect(chapters(run) == ["chapter_start", "chapter_complete", "complete"])
        }
    }

    @Test("Chapters of each container are told as the playhead crosses, and across a seek")
    func containers() async throws {
        let list = folder.write(
            "chapters.ffmeta",
            ";FFMETADATA1\n"
                + [("One", 0, 1000), ("Two", 1000, 2000), ("Three", 2000, 4000)].map { title, start, end in
                    "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=\(title)\n"
                }.joined()
        )
        try #require(media.isComplete)
        // The others are as long as their first chapters.
        let films = [("film.mkv", ""), ("film.mp4", "-t 2.4"), ("film.mov", "-t 2.4 -movflags disable_chpl")]
        for (name, options) in films {
            let arguments = "-i \(media.clip) -i \(list) -map_metadata 1 -c copy \(options) \(folder.file(name))"
            try #require(unsafe system("ffmpeg -v error -y \(arguments)") == 0)
        }
        let archive = folder.file("run.tally")
        let script = folder.write("script", "1.4 seek 2.5\n3 seek 3.2")
        let sources = films.map { folder.file($0.0) }
        let result = try await ChildProgram.run(sources + ["--script", script, "--archive", archive, "-q"])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        try #require(run.sessions.count == 3)
        #expect(
            chapters(run.sessions[0]) == [
                "chapter_start", "chapter_complete", "chapter_start", "seek_start", "chapter_skip", "seek_complete",
                "chapter_start", "seek_start", "seek_complete", "chapter_complete", "complete",
            ]
        )
        for session in run.sessions.dropFirst() {
            let three = (1...3).flatMap { _ in ["chapter_start", "chapter_complete"] }
            #expect(chapters(session) == three + ["complete"])
        }
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        for session in run.sessions {
            let starts = session.events("chapter_start")
            #expect(starts.map { $0.attribute("chapter_name") } == ["One", "Two", "Three"])
            #expect(starts.map { $0.attribute("chapter_position")?.int } == [1, 2, 3])
            #expect(starts.map { $0.attribute("chapter_start_ms")?.int } == [0, 1000, 2000])
            #expect(starts[1].attribute("chapter_duration_ms") == .int(1000))
            #expect(
                starts.allSatisfy { $0.state("playhead_ms")?.int ?? 0 >= $0.attribute("chapter_start_ms")?.int ?? .max }
            )
        }
    }

    @Test("A WebVTT file goes before what the media says")
    func webVTT() throws {
        let file = folder.write("c.vtt", "WEBVTT\n\n00:00.500 --> 00:01.000\nInner\n\n00:02.000 --> 00:09.000\nRest\n")
        let player = SimulatedPlayer()
        let (run, result) = try player.record([player.clip, "--chapters", file, "-q"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            chapters(run) == ["chapter_start", "chapter_complete", "chapter_start", "chapter_complete", "complete"]
        )
        #expect(run.events("chapter_start").map { $0.attribute("chapter_name") } == ["Inner", "Rest"])
    }

    @Test("A chapters file that cannot be used ends the program before it begins")
    func wrongFile() throws {
        let file = folder.write("c.vtt", "no chapters")
        let player = SimulatedPlayer()
        let wrong = try player.run([player.clip, "--chapters", file])
        #expect(wrong.code == 78)
        #expect(wrong.errors.contains("it does not begin with WEBVTT"))
        #expect(try player.run([player.clip, "--chapters", folder.file("none")]).code == 66)
    }
}
