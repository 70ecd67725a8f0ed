import CGStreamer
import Synchronization

/// How far the media reaches that came to the decoders since the last flush.
///
/// It tells a truncated item from a complete one also when the machine is too slow to show all frames; the position
/// that the engine reports is of no use then.
final class MediaExtent: Sendable {
    private let endNs = Atomic<Int64>(-1)

    /// The end in milliseconds, nil when nothing has come.
    var endMs: Int64? {
        let end = endNs.load(ordering: .relaxed)
        return end < 0 ? nil : end / 1_000_000
    }

    func reset() {
        endNs.store(-1, ordering: .relaxed)
    }

    /// Takes a buffer that arrives at a pad.
    func take(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
        let startNs = unsafe buffer.pointee.pts
        guard startNs != .max, let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return }
        defer { unsafe gst_event_unref(event) }
        var segment: UnsafePointer<GstSegment>?
        unsafe gst_event_parse_segment(event, &segment)
        guard let segment = unsafe segment, unsafe segment.pointee.format == GST_FORMAT_TIME else { return }
        let durationNs = unsafe buffer.pointee.duration
        let bufferEndNs = startNs + (durationNs == .max ? 0 : durationNs)
        // What reaches past the segment is clipped; it was demuxed all the same.
        let insideNs = unsafe min(bufferEndNs, segment.pointee.stop)
        let streamNs = unsafe gst_segment_to_stream_time(segment, GST_FORMAT_TIME, guint64(insideNs))
        guard streamNs != .max else { return }
        _ = endNs.max(Int64(clamping: streamNs), ordering: .relaxed)
    }
}
