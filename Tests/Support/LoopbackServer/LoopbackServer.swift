import Glibc

/// An HTTP server on 127.0.0.1 for tests and demonstrations.
///
/// It answers from its own threads, one for each connection, from the end of `init` until `stop` or its last reference.
/// All members may be used from any thread.
package final class LoopbackServer: Sendable {
    /// The port it listens on.
    package let port: UInt16
    private let listener: Socket
    private let service: Service

    /// Starts to listen and serve.
    package init(_ configuration: ServerConfiguration) throws(ServerError) {
        let service = try Service(configuration)
        let (listener, port) = try Socket.listen(port: configuration.port)
        self.service = service
        self.listener = listener
        self.port = port
        guard DetachedThread.start({ Self.accept(listener, service) }) else {
            throw .cannotListen(port: port, code: EAGAIN)
        }
    }

    deinit {
        stop()
    }

    /// The address of the folder's root, with a slash at its end.
    package var url: String {
        "http://127.0.0.1:\(port)/"
    }

    /// Returns the address of a path below the root, which is taken as it is.
    package func url(of path: String) -> String {
        url + (path.hasPrefix("/") ? path.dropFirst() : path[...])
    }

    /// All requests so far, in the order of their arrival.
    package var requests: [RecordedRequest] {
        service.requests
    }

    /// Waits until the requests fulfil the condition, and returns false when they do not in time.
    package func waitForRequests(seconds: Double = 300, until condition: ([RecordedRequest]) -> Bool) -> Bool {
        service.waitForRequests(seconds: seconds, until: condition)
    }

    /// Ends all connections; the recorded requests stay.
    package func stop() {
        listener.shutDown()
        service.stop()
    }

    /// The same as soon as the requests fulfil the condition.
    ///
    /// It has a thread of its own: tasks may wait for seconds on a busy machine.
    package func stop(when condition: @escaping @Sendable ([RecordedRequest]) -> Bool) {
        _ = DetachedThread.start { [self] in
            if waitForRequests(until: condition) { stop() }
        }
    }

    private static func accept(_ listener: Socket, _ service: Service) {
        while let socket = listener.accept() {
            guard let number = service.open(socket) else {
                return
            }
            let started = DetachedThread.start {
                Connection(number: number, socket: socket, service: service).run()
                // A process that was started meanwhile may hold a copy of the descriptor: closing is not enough.
                socket.shutDown()
                service.close(number)
            }
            if !started {
                service.close(number)
            }
        }
    }
}
