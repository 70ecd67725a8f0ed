import CGStreamer
import Synchronization

/// Counts the pictures into and out of the video decoders since a flush: of a damaged one they say nothing.
final class DecoderLedger: Sendable {
    private let taken = Atomic<Int>(0)
    private let given = Atomic<Int>(0)

    var input: Int64 { Int64(taken.load(ordering: .relaxed)) }
    var output: Int64 { Int64(given.load(ordering: .relaxed)) }

    /// Counts a picture that arrives at a decoder, unless it only leads to those from the playhead on: what lies before
    /// a seek's target is decoded and not given out.
    func count(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
        unsafe withSegment(of: buffer, at: pad) { startNs, segment in
            if unsafe startNs >= segment.pointee.start { taken.add(1, ordering: .relaxed) }
        }
    }

    func give() { given.add(1, ordering: .relaxed) }

    func reset() {
        taken.store(0, ordering: .relaxed)
        given.store(0, ordering: .relaxed)
    }
}

/// How far the media at the decoders reaches since a flush, as the position of a machine that is too slow lags behind.
final class MediaExtent: Sendable {
    private let endNs = Atomic<Int64>(-1)
    private let flushes = Atomic<Int>(0)

    /// The end in milliseconds, nil when nothing has come.
    var endMs: Int64? {
        let end = endNs.load(ordering: .relaxed)
        return end < 0 ? nil : end / 1_000_000
    }

    /// How often what lay between the demuxer and the decoders was thrown away, a count that only grows.
    var flushCount: Int { flushes.load(ordering: .relaxed) }

    func flush() {
        endNs.store(-1, ordering: .relaxed)
        flushes.add(1, ordering: .relaxed)
    }

    /// Reaches as far as a buffer that arrives at a pad.
    func extend(by buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
        unsafe withSegment(of: buffer, at: pad) { startNs, segment in
            guard unsafe segment.pointee.format == GST_FORMAT_TIME else { return }
            let durationNs = unsafe buffer.pointee.duration
            let bufferEndNs = startNs + (durationNs == .max ? 0 : durationNs)
            // What reaches past the segment is clipped; it was demuxed all the same.
            let insideNs = unsafe min(bufferEndNs, segment.pointee.stop)
            let streamNs = unsafe gst_segment_to_stream_time(segment, GST_FORMAT_TIME, guint64(insideNs))
            if streamNs != .max { _ = endNs.max(Int64(clamping: streamNs), ordering: .relaxed) }
        }
    }
}

/// The time and the segment of a buffer that has both.
func withSegment(
    of buffer: UnsafeMutablePointer<GstBuffer>,
    at pad: UnsafeMutablePointer<GstPad>,
    _ body: (_ startNs: GstClockTime, UnsafePointer<GstSegment>) -> Void
) {
    let startNs = unsafe buffer.pointee.pts
    guard startNs != .max, let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return }
    defer { unsafe gst_event_unref(event) }
    var segment: UnsafePointer<GstSegment>?
    unsafe gst_event_parse_segment(event, &segment)
    if let segment = unsafe segment { unsafe body(startNs, segment) }
}
