package import PluginABI

/// Takes bytes from a plugin for the time of one call: the answer to a command, a saved state.
@safe package final class ByteSink {
    /// How many bytes a plugin may write in one call.
    package static let largest = 1024 * 1024

    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    /// The bytes as text; what is not UTF-8 is replaced.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Nothing was written yet.
    package init() {}

    /// Lends the sink to a call.
    package func lend<Result>(_ body: (UnsafePointer<tally_sink>) -> Result) -> Result {
        var sink = unsafe tally_sink(
            ctx: Unmanaged.passUnretained(self).toOpaque(),
            write: { sink, bytes, count in
                guard let context = unsafe sink.pointee.ctx else { return TALLY_ERR_INVALID }
                let target = unsafe Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
                return unsafe target.take(UnsafeRawBufferPointer(start: bytes, count: count))
            }
        )
        return unsafe withUnsafePointer(to: &sink) { unsafe body($0) }
    }

    private func take(_ more: UnsafeRawBufferPointer) -> tally_status {
        guard more.count <= Self.largest - bytes.count else { return TALLY_ERR_TOO_LARGE }
        unsafe bytes.append(contentsOf: more)
        return TALLY_OK
    }
}
