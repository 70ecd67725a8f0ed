/// What the server's threads share.
final class Service: Sendable {
    private struct State {
        var isRunning = true
        var link: SharedLink
        var requests: [RecordedRequest] = []
        /// How many requests each fault rule has matched.
        var matches: [Int]
        var connections: [Int: Socket] = [:]
        var accepted = 0
    }

    let configuration: ServerConfiguration
    let root: DocumentRoot?
    private let state: Monitor<State>

    init(_ configuration: ServerConfiguration) throws(ServerError) {
        self.configuration = configuration
        var root: DocumentRoot?
        if let path = configuration.root {
            root = try DocumentRoot(path)
        }
        self.root = root
        var link = SharedLink(schedule: configuration.throttle)
        if configuration.throttleStart == .serverStart {
            link.startClock(at: .now)
        }
        state = Monitor(State(link: link, matches: Array(repeating: 0, count: configuration.faults.count)))
    }

    var requests: [RecordedRequest] {
        state.read { $0.requests }
    }

    func waitForRequests(seconds: Double, until condition: ([RecordedRequest]) -> Bool) -> Bool {
        state.wait(until: .now.advanced(by: seconds)) { condition($0.requests) }
    }

    /// Adds a connection and returns its number; nil when the server has stopped.
    func open(_ socket: Socket) -> Int? {
        state.update { state in
            guard state.isRunning else {
                return nil
            }
            state.accepted += 1
            state.connections[state.accepted] = socket
            return state.accepted
        }
    }

    func close(_ connection: Int) {
        state.update { $0.connections[connection] = nil }
    }

    /// Records a request, starts the throttle's clock when it is its turn, and returns the faults for the answer.
    func record(_ request: RecordedRequest) -> Faults {
        state.update { state in
            if case .firstRequest(let pattern) = configuration.throttleStart, pattern.matches(request.path) {
                state.link.startClock(at: .now)
            }
            state.requests.append(request)
            var faults = Faults()
            for (index, rule) in configuration.faults.enumerated() where rule.pattern.matches(request.path) {
                state.matches[index] += 1
                if state.matches[index] <= rule.limit ?? .max {
                    faults.merge(rule.faults)
                }
            }
            return faults
        }
    }

    /// Waits for the link and returns how many bytes may be sent now; nil when the server stops.
    func waitForLink(upTo bytes: Int) -> Int? {
        let turn = state.update { $0.link.reserve(upTo: bytes, at: .now) }
        return pause(until: turn.at) ? turn.bytes : nil
    }

    /// Waits and returns whether the server still runs.
    func pause(seconds: Double) -> Bool {
        pause(until: .now.advanced(by: seconds))
    }

    /// Ends all connections and waits until their threads have let go of them.
    func stop() {
        let open = state.update { state in
            state.isRunning = false
            return Array(state.connections.values)
        }
        for socket in open {
            socket.shutDown()
        }
        _ = state.wait(until: .now.advanced(by: 10)) { $0.connections.isEmpty }
    }

    private func pause(until time: MonotonicTime) -> Bool {
        guard time > .now else {
            return state.read { $0.isRunning }
        }
        return !state.wait(until: time) { !$0.isRunning }
    }
}
