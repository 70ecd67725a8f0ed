import Archive
import Coordinator
import EventModel
import PluginABI
internal import PluginLoading
import TallyTesting
import Testing

/// An archive that is read and written again, event by event, is the same archive.
struct RewriteTests {
    @Test("A recorded run, read and written again, is the same to the byte", arguments: 0..<UInt64(20))
    func recordedRun(seed: UInt64) throws {
        let run = try VirtualRun(plugins: [], sources: []).record(
            ActionSequence(seed: seed, count: 150, legal: 80, longestWait: 3_000_000)
        )
        let written = try #require(FileBytes.of(run.archive))
        let again = try Self.rewrite(written)
        #expect(again.damage == [])
        #expect(String(decoding: again.bytes, as: UTF8.self) == String(decoding: written, as: UTF8.self))
        #expect(written.count { $0 == 0x0A } > 100)
    }

    @Test("Event types and attributes that this version does not know survive, unknown members of a line do not")
    func unknown() throws {
        let known = [
            SampleLines.header,
            #"{"run":"run-1","n":1,"t_us":10,"event":"video_load","session":1,"attributes":{"video_id":"a"}}"#,
            #"{"run":"run-1","n":2,"t_us":20,"event":"org.example/new \"é\"","session":1,"state":{"playhead_ms":5},"#
                + #""attributes":{"from_the_future":{"$f":"-inf"},"x":[1,[2.5,{"$b":"AA=="}]],"video_id":null}}"#,
            #"{"run":"run-1","n":3,"t_us":30,"event":"play","session":1,"#
                + #""state":{"playhead_ms":5,"playhead_age_us":10,"is":["playing"]}}"#,
            #"{"run":"run-1","n":4,"t_us":1000030,"mark":true}"#,
            #"{"run":"run-1","n":5,"t_us":1000040,"end":"cancelled","dropped":12}"#,
        ]
        let text = known.joined(separator: "\n") + "\n"
        let again = try Self.rewrite(Array(text.utf8))
        // The header's members have one order, in which Tally writes them.
        let lines = String(decoding: again.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(Array(lines.dropFirst()) == Array(known.dropFirst()))
        let newer = text.replacing(#""event""#, with: #""newer":{"a":[1]},"event""#)
            .replacing(#""playhead_ms""#, with: #""newer_ms":7,"playhead_ms""#)
        #expect(try Self.rewrite(Array(newer.utf8)).bytes == again.bytes)
    }

    // MARK: - Parts

    /// Sends an archive's lines through a coordinator that records what it is given.
    private static func rewrite(_ bytes: [UInt8]) throws -> (bytes: [UInt8], damage: [String]) {
        let target = TestArchive()
        let source = TestArchive(bytes)
        let reader = ArchiveReader(try ArchiveSource(path: source.path))
        var damage: [String] = []
        var coordinator: Coordinator?
        while let line = try reader.next(damaged: { damage.append($0.description) }) {
            switch line {
            case .header(let header):
                let recorder = Recorder(
                    ArchiveWriter(file: try ArchiveFile(path: target.path), header: header) { _ in }
                )
                coordinator = try Coordinator(
                    run: RunDescription(id: header.run, epoch: header.epoch),
                    trackers: [],
                    consumers: [],
                    recorder: recorder,
                    log: .silent
                )
            case .event(let event): unsafe coordinator?.replay(UnsafeMutablePointer(mutating: event.raw))
            case .mark(let time): coordinator?.mark(at: time)
            case .end(let time, let reason, let dropped):
                coordinator?.end(at: time, reason: RunEndReason(rawValue: reason) ?? .drained, dropped: dropped)
            }
        }
        return (target.bytes, damage)
    }

    private final class Recorder: RunRecorder {
        private let writer: ArchiveWriter

        init(_ writer: ArchiveWriter) {
            self.writer = writer
        }

        func record(_ event: EventView, report: UnsafePointer<tally_state>) {
            unsafe writer.event(event, report: report)
        }

        func mark(at time: Int64) {
            writer.mark(at: time)
        }

        func end(at time: Int64, reason: RunEndReason, dropped: UInt64) {
            writer.end(at: time, reason: reason.rawValue, dropped: dropped)
        }
    }
}
