import CGStreamer
import System

/// The texts in containers that the pipeline is not shown, so that they can be chosen all the same.
@safe final class HiddenTexts: @unchecked Sendable {
    /// How many are kept; further ones are left out.
    private static let limit = 100

    @safe private struct Pad {
        let id: String
        let pad: UnsafeMutablePointer<GstPad>
    }

    private struct State {
        var pads: [Pad] = []
    }

    private let state = Lock(State())

    deinit { state.with { state in for entry in state.pads { unsafe gst_object_unref(entry.pad) } } }

    /// Keeps the pad of a stream, on a streaming thread.
    ///
    /// A demuxer that begins anew has the same ones once more.
    func add(_ pad: UnsafeMutablePointer<GstPad>) {
        guard let name = unsafe gst_pad_get_stream_id(pad) else { return }
        defer { unsafe g_free(name) }
        let id = unsafe String(cString: name)
        state.with { state in
            guard state.pads.count < Self.limit, !state.pads.contains(where: { $0.id == id }) else { return }
            unsafe gst_object_ref(pad)
            unsafe state.pads.append(Pad(id: id, pad: pad))
        }
    }

    /// What is known of them by now, in their order: a demuxer names the language behind the stream.
    var tracks: [TrackSelection.Track] {
        state.with { state in
            state.pads.map { entry in
                unsafe TrackSelection.Track(id: entry.id, isText: true, language: Self.language(of: entry.pad))
            }
        }
    }

    private static func language(of pad: UnsafeMutablePointer<GstPad>) -> String? {
        var index: guint = 0
        while let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index) {
            defer { unsafe gst_event_unref(event) }
            var tags: UnsafeMutablePointer<GstTagList>?
            unsafe gst_event_parse_tag(event, &tags)
            if let tags = unsafe tags, let language = unsafe TrackSelection.language(in: tags) { return language }
            index += 1
        }
        return nil
    }
}
