import CGStreamer
import Synchronization

/// How many pictures went into the video decoders and came out again, since the last flush.
///
/// A damaged picture goes in and nothing comes out, and the decoders say nothing of it.
final class DecoderLedger: Sendable {
    private let taken = Atomic<Int>(0)
    private let given = Atomic<Int>(0)

    /// Pictures that went in.
    var input: Int64 { Int64(taken.load(ordering: .relaxed)) }
    /// Pictures that came out.
    var output: Int64 { Int64(given.load(ordering: .relaxed)) }

    /// Takes a picture that arrives at a decoder, unless it only leads to those from the playhead on: what lies before
    /// a seek's target is decoded and not given out.
    func take(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
        let startNs = unsafe buffer.pointee.pts
        guard startNs != .max, let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return }
        defer { unsafe gst_event_unref(event) }
        var segment: UnsafePointer<GstSegment>?
        unsafe gst_event_parse_segment(event, &segment)
        guard let segment = unsafe segment, unsafe startNs >= segment.pointee.start else { return }
        taken.add(1, ordering: .relaxed)
    }

    func give() {
        given.add(1, ordering: .relaxed)
    }

    /// What is inside of a decoder is thrown away.
    func reset() {
        taken.store(0, ordering: .relaxed)
        given.store(0, ordering: .relaxed)
    }
}
