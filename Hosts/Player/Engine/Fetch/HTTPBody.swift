import CGStreamer

/// What came of a body so far; filled by a streaming thread.
@safe final class HTTPBody: @unchecked Sendable {
    private let lock = Lock()
    private let limit: Int
    private var content: [UInt8] = []
    private var overflowed = false

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: [UInt8] { lock.withLock { content } }

    var isTooLarge: Bool { lock.withLock { overflowed } }

    func append(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        let size = unsafe Int(gst_buffer_get_size(buffer))
        lock.withLock {
            guard size > 0, !overflowed else { return }
            guard content.count + size <= limit else {
                overflowed = true
                return
            }
            var part = [UInt8](repeating: 0, count: size)
            let copied = unsafe part.withUnsafeMutableBytes { target in
                unsafe gst_buffer_extract(buffer, 0, target.baseAddress, gsize(size))
            }
            content.append(contentsOf: part.prefix(Int(copied)))
        }
    }
}
