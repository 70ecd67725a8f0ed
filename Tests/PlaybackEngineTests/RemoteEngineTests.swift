import Glibc
import MediaProcess
import PlaybackEngine
import Synchronization
import TestFiles
import Testing

extension RealEngineTests {
    /// Engines in processes of their own, and what becomes of an item when such a process ends or locks up.
    @Suite
    struct Remote {
        private let media = TestMedia.shared
        private let player = "\(TestFile.products)/tally-player"

        private final class Ticks: Sendable {
            let count = Atomic<Int>(0)
        }

        private func recorder(
            silenceLimitMs: Int64 = RemoteEngine.silenceLimitMs,
            ticks: Ticks = Ticks()
        ) throws -> (recorder: EngineRecorder, process: Int32) {
            var process: Int32 = 0
            let recorder = EngineRecorder { configuration, handler in
                let engine = RemoteEngine(
                    configuration: configuration,
                    program: player,
                    silenceLimitMs: silenceLimitMs,
                    onTick: { _, _ in ticks.count.add(1, ordering: .relaxed) },
                    handler: handler
                )
                process = engine.processID
                return engine
            }
            try #require(process > 0)
            return (recorder, process)
        }

        private func playing(
            silenceLimitMs: Int64 = RemoteEngine.silenceLimitMs,
            ticks: Ticks = Ticks()
        ) throws -> (recorder: EngineRecorder, process: Int32) {
            let made = try recorder(silenceLimitMs: silenceLimitMs, ticks: ticks)
            made.recorder.engine.send(.load(media.clip))
            made.recorder.engine.send(.play)
            try #require(made.recorder.wait(for: .playing) != nil)
            return made
        }

        private func isGone(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

        /// The end of an item whose process ended, with what is said of that.
        private func crash(of recorder: EngineRecorder) throws -> String {
            try #require(recorder.wait(for: .stopped) != nil)
            let error = try #require(recorder.failure)
            #expect(recorder.milestones.suffix(2) == [.failed(error), .stopped])
            #expect(error.code == .engineCrashed && error.location == media.clip)
            return error.detail
        }

        @Test func anEngineInAProcessOfItsOwnReportsWhatOneInThisProcessDoes() throws {
            let (remote, process) = try recorder()
            let local = EngineRecorder()
            for player in [remote, local] {
                player.engine.send(.load(media.clip))
                player.engine.send(.setVolume(0.5))
                player.engine.send(.play)
                try #require(player.wait(for: .playing) != nil)
                player.engine.send(.seek(toMs: 5500))
                try #require(player.wait { if case .endOfStream = $0.event { true } else { false } } != nil)
                player.stop()
            }
            // When a file buffers, and when its pictures are first seen, depends on the machine.
            let kinds = ["loadStarted", "loaded", "playing", "seekStarted", "seekCompleted", "endOfStream", "stopped"]
            #expect(remote.milestones.map(\.kind).filter(kinds.contains) == kinds)
            #expect(local.milestones.map(\.kind).filter(kinds.contains) == kinds)
            #expect(remote.milestones.contains(.volumeChanged(volume: 0.5, muted: false)))
            #expect(remote.milestones.contains(.seekStarted(targetMs: 5500)))
            #expect(isGone(process))
        }

        @Test(arguments: [SIGSEGV, SIGABRT, SIGKILL])
        func aProcessThatASignalEndsIsAFailureOfTheItem(signal: Int32) throws {
            let (recorder, process) = try playing()
            let (other, _) = try playing()
            #expect(kill(process, signal) == 0)
            #expect(try crash(of: recorder).contains("ended by signal \(signal) ("))
            #expect(isGone(process))
            // Nothing happens to anybody else.
            try #require(other.wait { if case .endOfStream = $0.event { true } else { false } } != nil)
            other.stop()
            #expect(other.failure == nil)
        }

        @Test func whatIsSentToAProcessThatIsGoneIsDropped() throws {
            let (recorder, process) = try playing()
            kill(process, SIGKILL)
            _ = try crash(of: recorder)
            for _ in 0..<1000 { recorder.engine.send(.seek(toMs: 1000)) }
            recorder.stop()
            #expect(recorder.milestones.count { $0 == .stopped } == 1)
        }

        @Test func aProcessThatEndsBehindTheItemIsNoFailure() throws {
            let (recorder, process) = try playing()
            recorder.engine.send(.seek(toMs: 5900))
            try #require(recorder.wait { if case .endOfStream = $0.event { true } else { false } } != nil)
            kill(process, SIGSEGV)
            try #require(recorder.wait(for: .stopped) != nil)
            #expect(recorder.failure == nil)
        }

        @Test func aProcessThatSaysNothingIsEndedAndTheHostHasItsTicksUntilThen() throws {
            let ticks = Ticks()
            let (recorder, process) = try playing(silenceLimitMs: 8000, ticks: ticks)
            kill(process, SIGSTOP)
            usleep(200_000)
            let before = ticks.count.load(ordering: .relaxed)
            #expect(try crash(of: recorder) == "it said nothing for 8000 ms and was ended")
            #expect(ticks.count.load(ordering: .relaxed) > before)
            #expect(isGone(process))
        }

        @Test func aProcessThatDoesNotStopIsEnded() throws {
            let (recorder, process) = try playing(silenceLimitMs: 5000)
            kill(process, SIGSTOP)
            recorder.stop()
            #expect(recorder.failure == nil)
            #expect(recorder.milestones.last == .stopped)
            #expect(isGone(process))
        }

        @Test func aProcessThatCannotBeStartedIsAFailureOfTheItem() throws {
            for program in ["/nowhere/tally-player", "/dev/null", "/bin/true"] {
                let recorder = EngineRecorder { configuration, handler in
                    RemoteEngine(configuration: configuration, program: program, handler: handler)
                }
                recorder.engine.send(.load(media.clip))
                _ = try crash(of: recorder)
                #expect(recorder.milestones.first == .loadStarted(location: media.clip))
                recorder.stop()
            }
        }

        @Test func aProcessThatStopsOnItsWayToTheEndIsContinued() throws {
            let folder = TemporaryFolder()
            let program = folder.file("halting")
            TestFile.write(Array("#!/bin/sh\nexec 3>&-\nkill -STOP $$\nexit 3\n".utf8), to: program)
            try #require(unsafe chmod(program, 0o700) == 0)
            let recorder = EngineRecorder { configuration, handler in
                RemoteEngine(configuration: configuration, program: program, handler: handler)
            }
            recorder.engine.send(.load(media.clip))
            #expect(try crash(of: recorder) == "its process ended with code 3")
        }

        @Test func anEngineThatNobodyUsesStops() throws {
            let (recorder, process) = try recorder()
            recorder.stop()
            #expect(recorder.milestones == [.stopped])
            #expect(isGone(process))
        }
    }
}

extension EngineEvent {
    /// The name of the case.
    fileprivate var kind: String { String("\(self)".prefix { $0 != "(" }) }
}
