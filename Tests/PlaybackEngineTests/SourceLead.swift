import CGStreamer
import Glibc
import Synchronization

/// Keeps the next pipeline that is opened waiting once its source runs, as a busy machine may.
///
/// GStreamer calls whoever logs on the thread that opens the pipeline, behind the start of the source, without a lock.
@safe final class SourceLead: Sendable {
    private static let hasWaited = Atomic<Bool>(false)
    private static let leadMicroseconds: UInt32 = 300_000

    private static let onMessage: GstLogFunction = { _, _, _, _, _, object, message, _ in
        guard let object = unsafe object, let message = unsafe message,
            let text = unsafe gst_debug_message_get(message),
            unsafe String(cString: text).hasPrefix("returned SUCCESS")
        else { return }
        let source = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstObject.self)
        guard let name = unsafe source.pointee.name, unsafe String(cString: name).hasPrefix("urisourcebin") else {
            return
        }
        if !hasWaited.exchange(true, ordering: .relaxed) { usleep(leadMicroseconds) }
    }

    init() {
        gst_init(nil, nil)
        Self.hasWaited.store(false, ordering: .relaxed)
        unsafe gst_debug_remove_log_function(gst_debug_log_default)
        unsafe gst_debug_add_log_function(Self.onMessage, nil, nil)
        unsafe gst_debug_set_threshold_for_name("GST_STATES", GST_LEVEL_DEBUG)
    }

    /// Whether a pipeline was kept waiting.
    var isDone: Bool { Self.hasWaited.load(ordering: .relaxed) }

    func end() {
        unsafe gst_debug_unset_threshold_for_name("GST_STATES")
        unsafe gst_debug_remove_log_function(Self.onMessage)
        unsafe gst_debug_add_log_function(gst_debug_log_default, nil, nil)
    }
}
