import Archive
import ChildPrograms
import EventModel
import Glibc
import Synchronization
import Tally
import TallyTesting
import TestFiles
import Testing

/// What is on disk while a run goes on, and what happens when nothing more fits.
struct WriterTests {
    private static func sample(at time: Int64) -> EventBlock {
        EventBlock("playhead_sample", at: time)
    }

    @Test("The header, each change of state, marks and the end are on disk at once")
    func atOnce() throws {
        let archive = TestArchive()
        let writer = try archive.writer()
        #expect(archive.lines.count == 1)
        for (index, name) in ["video_load", "play", "custom", "org.example.unknown", "quality_sample"].enumerated() {
            let event = EventBlock(name, at: Int64(index) * 10)
            unsafe writer.event(event.view, report: event.report)
            #expect(archive.lines.count == index + 2)
        }
        writer.mark(at: 1_000_000)
        #expect(archive.lines.count == 7)
        writer.end(at: 1_000_001, reason: "drained", dropped: 0)
        #expect(archive.lines.count == 8)
        let (_, damage) = try archive.read()
        #expect(damage == [])
    }

    @Test("Nobody but its owner can read an archive that is made; the permissions of one that is there stay")
    func permissions() throws {
        let archive = TestArchive()
        for (mode, expected) in [(nil, 0o600), (0o640, 0o640)] as [(mode_t?, mode_t)] {
            unsafe unlink(archive.path)
            if let mode {
                let descriptor = unsafe open(archive.path, O_WRONLY | O_CREAT | O_CLOEXEC, mode)
                fchmod(descriptor, mode)
                close(descriptor)
            }
            _ = try archive.writer()
            var status = stat()
            #expect(unsafe stat(archive.path, &status) == 0 && status.st_mode & 0o777 == expected)
        }
    }

    @Test("At the usual pace of four samples a second each sample is on disk before the next one comes")
    func samples() throws {
        let archive = TestArchive()
        let writer = try archive.writer()
        for index in 1...20 {
            let event = Self.sample(at: Int64(index) * Limits.sampleIntervalMicroseconds)
            unsafe writer.event(event.view, report: event.report)
            #expect(archive.lines.count == index + 1)
        }
    }

    @Test("Samples that come closer together wait for each other, but never longer than the write interval")
    func manySamples() throws {
        let archive = TestArchive()
        let writer = try archive.writer()
        var written: [Int64] = []
        for time in stride(from: Int64(1000), through: 1_000_000, by: 1000) {
            let event = Self.sample(at: time)
            let before = archive.size
            unsafe writer.event(event.view, report: event.report)
            if archive.size > before { written.append(time) }
        }
        #expect(written.count == 10)
        #expect(archive.lines.count == 1001)
        #expect(zip(written, written.dropFirst()).allSatisfy { $1 - $0 <= ArchiveFormat.writeInterval })
    }

    @Test("A file that cannot be created says why and what to do")
    func notCreated() {
        let folder = TemporaryFolder()
        for (path, reason) in [
            (folder.file("missing/a"), "No such file or directory"), (folder.path, "Is a directory"),
        ] {
            do throws(ArchiveFile.Failure) {
                _ = try ArchiveFile(path: path)
                Issue.record("\(path) was created")
            } catch {
                #expect(
                    error.description
                        == "\(path): cannot create the archive: \(reason). Choose another file with --archive."
                )
            }
        }
    }

    @Test("A full disk is told once, and every further line is dropped without a word")
    func fullDisk() throws {
        let failures = Atomic<Int>(0)
        let file = try ArchiveFile(path: "/dev/full")
        let writer = ArchiveWriter(file: file, header: .sample()) { failure in
            failures.add(1, ordering: .relaxed)
            #expect(
                failure.description == "/dev/full: the archive ends here: No space left on device. "
                    + "What was written up to the last line is kept."
            )
        }
        for index in 0..<100 {
            let event = EventBlock("custom", at: Int64(index), [("text", .string(String(repeating: "x", count: 5000)))])
            unsafe writer.event(event.view, report: event.report)
        }
        writer.mark(at: 2_000_000)
        writer.end(at: 2_000_001, reason: "drained", dropped: 0)
        #expect(failures.load(ordering: .relaxed) == 1)
        #expect(writer.failure?.number == ENOSPC)
    }

    @Test("A run whose archive begins on a full disk does not begin: nobody would notice later")
    func fullFromTheStart() throws {
        let telemetry = try Telemetry()
        do throws(TelemetryError) {
            _ = try telemetry.startRun(archive: "/dev/full")
            Issue.record("the run began")
        } catch {
            #expect(error.kind == .archiveOutput)
            #expect(error.description.contains("No space left on device"))
        }
    }

    @Test("A run goes on when its archive cannot: one log line, all events delivered, what was written is kept")
    func fullInTheMiddle() async throws {
        let file = SealableFile()
        let lines = Atomic<Int>(0)
        var options = Telemetry.Options()
        options.log = { line in
            if line.level == .error, line.message.contains("the archive ends here") { lines.add(1, ordering: .relaxed) }
        }
        let telemetry = try Telemetry(options: options)
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: file.path)
        run.trackVideoLoad()
        run.trackPlay()
        #expect(await eventually { file.lines >= 3 })
        file.seal()
        // On a busy machine marks came meanwhile too.
        let kept = file.lines
        for _ in 0..<200 {
            #expect(run.trackCustomEvent("after the end") == .queued)
        }
        let report = run.destroy(.drain(limit: 300_000))
        #expect(report.droppedEvents == 0 && report.inTime)
        #expect(lines.load(ordering: .relaxed) == 1)
        #expect(file.lines == kept)
    }
}
