internal import CMicroHTTPD
internal import Glibc
internal import Serving
internal import Threads

/// The browsers that are told when there is something new, by server-sent events.
///
/// A browser gets the next event once it has read the one before: however slow it is, one waits for it at most.
@safe final class EventStreams: @unchecked Sendable {
    private struct State {
        var streams: [ObjectIdentifier: EventStream] = [:]
        var isOver = false
    }

    private let state = Guarded(State())

    /// How many browsers there are.
    var count: Int { state.with { $0.streams.count } }

    /// The answer to a browser that wants to be told; it goes on until the browser leaves.
    func answer(on connection: OpaquePointer) -> Answer? {
        // Little may be under way to a browser that does not read.
        var bytes: Int32 = 4_096
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(tally_http_socket(connection), SOL_SOCKET, SO_SNDBUF, &bytes, size)
        let stream = unsafe EventStream(connection, self)
        state.with { $0.streams[ObjectIdentifier(stream)] = stream }
        let response = unsafe MHD_create_response_from_callback(
            UInt64(bitPattern: -1),
            1024,
            { context, _, buffer, room in
                guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
                let stream = unsafe Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
                return unsafe stream.streams.next(of: stream, UnsafeMutableRawBufferPointer(start: buffer, count: room))
            },
            Unmanaged.passRetained(stream).toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                let stream = unsafe Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue()
                stream.streams.remove(stream)
            }
        )
        return unsafe Answer(response, type: "text/event-stream", [("X-Accel-Buffering", "no")])
    }

    /// Tells all browsers that there is something new.
    func announce() {
        state.with { state in
            for stream in state.streams.values {
                stream.hasNews = true
                stream.resume()
            }
        }
    }

    /// Ends all streams, so that the server can end.
    func end() {
        state.with { state in
            state.isOver = true
            for stream in state.streams.values { stream.resume() }
        }
    }

    private func remove(_ stream: EventStream) { state.with { $0.streams[ObjectIdentifier(stream)] = nil } }

    /// Writes what a browser gets next: bytes, none when it has to wait, or the end (-1).
    private func next(of stream: EventStream, _ room: UnsafeMutableRawBufferPointer) -> Int {
        state.with { state in
            guard !state.isOver else { return -1 }
            guard stream.hasNews else {
                stream.suspend()
                return 0
            }
            let text = stream.isBegun ? "event: change\ndata:\n\n" : "retry: 2000\n\n"
            stream.hasNews = false
            stream.isBegun = true
            unsafe room.copyBytes(from: text.utf8)
            return text.utf8.count
        }
    }
}

/// One browser that is told; changed by its ``EventStreams`` alone.
@safe private final class EventStream {
    let streams: EventStreams
    /// It is there as long as the stream is in the list.
    private let connection: OpaquePointer
    private var isSuspended = false
    /// Whether there is something that the browser was not told.
    var hasNews = true
    var isBegun = false

    init(_ connection: OpaquePointer, _ streams: EventStreams) {
        unsafe self.connection = unsafe connection
        self.streams = streams
    }

    func suspend() {
        isSuspended = true
        unsafe MHD_suspend_connection(connection)
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        unsafe MHD_resume_connection(connection)
    }
}
