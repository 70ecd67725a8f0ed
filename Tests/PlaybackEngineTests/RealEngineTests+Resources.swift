import Glibc
import LoopbackServer
import PlaybackEngine
import Synchronization
import Testing

extension RealEngineTests {
    @Suite
    struct Resources {
        private let media = TestMedia.shared

        private func openDescriptors() -> Int {
            guard let directory = unsafe opendir("/proc/self/fd") else { return -1 }
            defer { unsafe closedir(directory) }
            var count = 0
            while unsafe readdir(directory) != nil { count += 1 }
            return count
        }

        /// How many descriptors are open once those of tests that go on beside this one are gone; those that nobody closes
        /// stay.
        private func waitForDescriptors(atMost expected: Int) -> Int {
            for _ in 0..<600 where openDescriptors() > expected { usleep(100_000) }
            return openDescriptors()
        }

        private func playBriefly(_ location: String, configuration: EngineConfiguration = EngineConfiguration()) throws
        {
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(location))
            player.engine.send(.play)
            try #require(player.wait(for: .playing) != nil)
            player.stop()
        }

        @Test func thirtyStartsAndStopsLeaveNoDescriptorOpen() throws {
            try playBriefly(media.clip)
            let before = openDescriptors()
            for _ in 0..<30 { try playBriefly(media.clip) }
            #expect(waitForDescriptors(atMost: before + 1) <= before + 1)
        }

        @Test func aStopInTheMiddleOfASegmentLeavesNoDescriptorOpen() throws {
            var serving = ServerConfiguration(root: media.directory)
            serving.throttle = ThrottleSchedule(bitsPerSecond: 500_000)
            let server = try LoopbackServer(serving)
            defer { server.stop() }
            var configuration = EngineConfiguration()
            configuration.resumeMs = 500
            try playBriefly(server.url(of: "master.m3u8"), configuration: configuration)
            let before = openDescriptors()
            for _ in 0..<4 { try playBriefly(server.url(of: "master.m3u8"), configuration: configuration) }
            #expect(waitForDescriptors(atMost: before + 2) <= before + 2)
        }

        @Test("What GStreamer complains of is handed on with its library's name")
        func complaints() throws {
            final class Told: Sendable {
                let texts = Mutex<[String]>([])
            }
            let told = Told()
            _ = PlaybackEngine { _ in }
            LibraryComplaints.hand { text in told.texts.withLock { $0.append(text) } }
            defer { LibraryComplaints.hand(nil) }
            let symbol = unsafe dlsym(nil, "gst_object_unref")
            let unref = unsafe try #require(symbol)
            unsafe unsafeBitCast(unref, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)(nil)
            #expect(told.texts.withLock { $0 } == ["GStreamer: gst_object_unref: assertion 'object != NULL' failed"])
        }

        @Test func anEngineThatIsDroppedStops() {
            final class Flag: Sendable {
                let isSet = Atomic<Bool>(false)
            }
            let stopped = Flag()
            do {
                let engine = PlaybackEngine { report in
                    if report.event == .stopped { stopped.isSet.store(true, ordering: .relaxed) }
                }
                engine.send(.load(media.clip))
                engine.send(.play)
            }
            for _ in 0..<2000 where !stopped.isSet.load(ordering: .relaxed) { usleep(5000) }
            let hasStopped = stopped.isSet.load(ordering: .relaxed)
            #expect(hasStopped)
        }
    }
}
