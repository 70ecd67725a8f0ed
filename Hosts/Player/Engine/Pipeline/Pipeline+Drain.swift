import CGStreamer
import Glibc
import Synchronization
import System

extension Pipeline {
    private static let quietNs: Int64 = 400_000_000
    private static let stepUs: UInt32 = 20_000

    /// Lets the adaptive demuxer finish its download and start no other.
    ///
    /// A download that is cut off leaks its connection, so the demuxer is told that its buffer is full, and its
    /// requests are awaited. Where they cannot be seen, or an error has ended them, the level of the buffer is watched
    /// until it stands still; an empty buffer says nothing when data is on its way.
    func drainDownloads(limitMs: Int64, awaitsData: Bool) {
        setState(GST_STATE_PAUSED)
        tap.withAdaptiveDemuxer { demuxer in
            demuxer.set("max-buffering-time", 1)
            demuxer.set("high-watermark-time", 1)
        }
        let startNs = MonotonicClock.nowNs()
        while awaitsData, MonotonicClock.nowNs() - startNs < limitMs * 1_000_000, let hasRequests = tap.hasRequests {
            dropMessages()
            if !hasRequests { return }
            usleep(Self.stepUs)
        }
        var lastChangeNs = startNs
        var lastLevel: [Int64] = []
        while true {
            dropMessages()
            let nowNs = MonotonicClock.nowNs()
            var level: [Int64] = []
            tap.withAdaptiveDemuxer { demuxer in
                level = ["video", "audio"].map { demuxer.int64("current-level-time-" + $0) ?? 0 }
            }
            if level != lastLevel {
                lastLevel = level
                lastChangeNs = nowNs
            }
            let isQuiet = nowNs - lastChangeNs >= Self.quietNs
            let isConclusive = !awaitsData || level.contains { $0 > 0 }
            if isQuiet && isConclusive || nowNs - startNs >= limitMs * 1_000_000 { return }
            usleep(Self.stepUs)
        }
    }

    /// Lets a load come to its first media or its error; a stop in the middle of it can lock the engine up.
    func awaitSettled(limitMs: Int64) {
        let endNs = MonotonicClock.nowNs() + limitMs * 1_000_000
        while MonotonicClock.nowNs() < endNs {
            guard let message = unsafe gst_bus_timed_pop(bus, GstClockTime(Self.stepUs) * 1000) else { continue }
            let type = unsafe message.pointee.type
            unsafe gst_message_unref(message)
            if type == GST_MESSAGE_ASYNC_DONE || type == GST_MESSAGE_ERROR || type == GST_MESSAGE_EOS { return }
        }
    }

    private func dropMessages() {
        while let message = unsafe gst_bus_pop(bus) { unsafe gst_message_unref(message) }
    }
}

/// Releases a pipeline within a time limit.
///
/// GStreamer 1.22 can lock itself up when it is stopped at the very moment at which it finds the type of the media: the
/// stop holds a lock that the finding thread waits for, and waits for that thread. Such a pipeline is left behind.
final class PipelineCloser: @unchecked Sendable {
    private static let stepUs: UInt32 = 500

    // Handed over once: written before the closing thread starts, and used by that thread alone afterwards.
    private var pipeline: Pipeline?
    private let isDone = Atomic<Bool>(false)

    init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// Stops and releases the pipeline; false when it did not stop in time.
    func close(limitMs: Int64) -> Bool {
        _ = Thread(name: "tally-media") { [self] in
            pipeline?.setState(GST_STATE_NULL)
            pipeline = nil
            isDone.store(true, ordering: .releasing)
        }
        let startNs = MonotonicClock.nowNs()
        while !isDone.load(ordering: .acquiring) {
            guard MonotonicClock.nowNs() - startNs < limitMs * 1_000_000 else { return false }
            usleep(Self.stepUs)
        }
        return true
    }
}
