import CGStreamer
import System

/// Stretches of which no stream has media, as the decoders get it since a flush.
final class MediaHoles: Sendable {
    /// What is shorter is how media is made.
    fileprivate static let shortestNs: Int64 = 200_000_000
    fileprivate static let limit = 16

    fileprivate struct Stream {
        var endNs: Int64?
        var holes: [Range<Int64>] = []
    }

    private let state = Lock<[UInt: Stream]>([:])

    func flush() { state.with { $0 = [:] } }

    /// Takes a buffer that arrives at a decoder.
    func add(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
        unsafe withSegment(of: buffer, at: pad) { startNs, segment in
            guard unsafe segment.pointee.format == GST_FORMAT_TIME else { return }
            let durationNs = unsafe buffer.pointee.duration
            let firstNs = unsafe gst_segment_to_stream_time(segment, GST_FORMAT_TIME, segment.pointee.start)
            // What lies before the segment is decoded for what follows.
            let clippedNs = unsafe max(startNs, segment.pointee.start)
            let streamNs = unsafe gst_segment_to_stream_time(segment, GST_FORMAT_TIME, clippedNs)
            guard streamNs != .max, firstNs != .max else { return }
            let start = Int64(clamping: streamNs)
            let end = start + (durationNs == .max ? 0 : Int64(clamping: durationNs))
            let id = UInt(bitPattern: pad)
            state.with { $0[id, default: Stream()].add(start..<max(start, end), Int64(clamping: firstNs)) }
        }
    }

    /// Whether media came to a pad since a flush.
    func hasMedia(at pad: UnsafeMutablePointer<GstPad>) -> Bool {
        state.with { $0[UInt(bitPattern: pad)]?.endNs != nil }
    }

    /// The first stretch of all streams that ends behind a position, in milliseconds.
    func next(afterMs positionMs: Int64) -> Range<Int64>? {
        let streams = state.with { Array($0.values) }
        guard let first = streams.first else { return nil }
        for hole in first.holes {
            let common = streams.dropFirst().reduce(hole as Range<Int64>?) { common, stream in
                common.flatMap { part in stream.holes.lazy.map(part.clamped).first { !$0.isEmpty } }
            }
            guard let common, common.upperBound / 1_000_000 > positionMs else { continue }
            return common.lowerBound / 1_000_000..<common.upperBound / 1_000_000
        }
        return nil
    }
}

extension MediaHoles.Stream {
    /// Pictures come in the order of their decoding: one that lies before another may come behind it.
    fileprivate mutating func add(_ media: Range<Int64>, _ firstNs: Int64) {
        let reachedNs = endNs ?? firstNs
        if media.lowerBound - reachedNs >= MediaHoles.shortestNs {
            holes.append(reachedNs..<media.lowerBound)
            if holes.count > MediaHoles.limit { holes.removeFirst() }
        } else if let last = holes.last, media.lowerBound < last.upperBound {
            holes[holes.count - 1] = last.lowerBound..<max(last.lowerBound, media.lowerBound)
        }
        endNs = max(reachedNs, media.upperBound)
    }
}
