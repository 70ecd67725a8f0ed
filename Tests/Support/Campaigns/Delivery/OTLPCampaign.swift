internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import System
internal import TextEncoding

/// Stops the collector that a replay exports to, and starts it again, at random moments; in every other round the replay is
/// ended with SIGKILL once as well and started again: in the end every request has arrived as a calm run makes it, and
/// nothing else.
///
/// A request may arrive twice when the collector was stopped between its two answers, or when it was in the spool right
/// behind the kill, and only then.
package struct OTLPCampaign: Campaign {
    private let binaries: String
    private let folder: String
    private let sessions: Int

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String, sessions: Int = 500) {
        self.binaries = binaries
        self.folder = folder
        self.sessions = sessions
    }

    /// They mostly wait.
    package var roundsAtOnce: Int { 3 }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        do {
            var replay = try DeliveringReplay(
                binaries: binaries,
                base: "\(folder)/tally-otlp-\(getpid())-\(seed)",
                beacons: sessions,
                reporter: "otlp"
            )
            defer { replay.remove() }
            let calm = try Collector(failsBy: nil)
            replay.settings = settings(calm.port)
            guard try await replay.start(to: "http://127.0.0.1:1/").end() == 0 else { return "calm: \(replay.said)" }
            let expected = calm.bodies
            calm.stop()
            replay.removeSpool()
            let collector = try Collector(failsBy: random.next())
            replay.settings = settings(collector.port)
            var program = try replay.start(to: "http://127.0.0.1:1/")
            var unknown: Set<String> = []
            let stops = 1 + Int(random.next() % 5)
            for stop in 1...stops {
                let wanted = min(collector.count + Int(random.next() % UInt64(expected.count)) / stops, expected.count)
                guard await eventually({ collector.count >= wanted }) else {
                    program.send(SIGKILL)
                    return "requests stopped arriving after \(collector.count): \(replay.said)"
                }
                if seed % 2 == 1, stop == stops {
                    program.send(SIGKILL)
                    _ = try await program.end()
                    unknown = replay.waitingIDs()
                    program = try replay.start(to: "http://127.0.0.1:1/")
                    continue
                }
                collector.stop()
                try await Task.sleep(for: .microseconds(Int(5_000 + random.next() % 200_000)))
                try collector.start()
            }
            let code = try await program.end()
            guard code == 0 else { return "the replay ended with \(code): \(replay.said)" }
            if let problem = collector.problem(expected, unknown) { return problem }
            print("seed \(seed): \(stops) stops, \(expected.count) requests, \(collector.repeated) twice")
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func settings(_ port: UInt16) -> [String: String] {
        [
            "endpoint": "\"http://127.0.0.1:\(port)\"", "encoding": "\"json\"", "gzip": "false", "concurrency": "8",
            "idempotency_header": "\"X-Beacon\"", "retry.first_ms": "5", "retry.longest_ms": "50", "commit_ms": "20",
            "timeout_ms": "2000", "drain_ms": "600000", "interval_ms": "1000",
        ]
    }
}

/// A collector that can be stopped and started again at the same port, and knows what it has answered with success.
private final class Collector: Sendable {
    private struct State {
        var server: LoopbackServer?
        var answers: [String: [Double]] = [:]
        var bodies: [String: String] = [:]
        var changed: [String] = []
        var stops: [Double] = []
    }

    let port: UInt16
    private let configuration: ServerConfiguration
    private let state: Lock<State>

    /// Starts one that, with a seed, also fails some requests.
    init(failsBy seed: UInt64?) throws {
        let state = Lock(State())
        var configuration = ServerConfiguration()
        configuration.onPost = { _ in PostAnswer(status: 200, body: "{}") }
        if let seed {
            let random = Lock(SplitMix64(seed: seed))
            configuration.chooses = { _ in
                switch random.with({ $0.next() }) % 200 {
                case 0: Faults(refuses: true)
                case 1: Faults(status: 503)
                case 2: Faults(status: 429)
                case 3: Faults(status: 200, cutAfter: 0)
                default: Faults()
                }
            }
        }
        configuration.onAnswer = { answer in
            guard answer.status == 200, answer.bytesSent == answer.bytesPromised else { return }
            let id = answer.request.header("x-beacon") ?? ""
            let text = answer.request.text
            state.with { state in
                state.answers[id, default: []].append(Arrivals.now())
                if state.bodies.updateValue(text, forKey: id).map({ $0 != text }) == true { state.changed.append(id) }
            }
        }
        let server = try LoopbackServer(configuration)
        state.with { $0.server = server }
        port = server.port
        configuration.port = server.port
        self.configuration = configuration
        self.state = state
    }

    /// What arrived, by the request's id.
    var bodies: [String: String] { state.with { $0.bodies } }
    /// How many different requests arrived.
    var count: Int { state.with { $0.bodies.count } }
    /// How many arrived more than once.
    var repeated: Int { state.with { $0.answers.values.count { $0.count > 1 } } }

    func stop() {
        let server = state.with { state in
            defer { state.server = nil }
            state.stops.append(Arrivals.now())
            return state.server
        }
        server?.stop()
    }

    func start() throws {
        let server = try LoopbackServer(configuration)
        state.with { $0.server = server }
    }

    /// What is wrong with what arrived; nil when it is what is expected.
    ///
    /// Of what is `unknown` nobody knew behind a kill whether it had arrived.
    func problem(_ expected: [String: String], _ unknown: Set<String>) -> String? {
        state.with { state in
            guard state.changed.isEmpty else { return "\(state.changed.prefix(5)) changed between two tries" }
            let missing = expected.keys.filter { state.bodies[$0] == nil }.sorted()
            guard missing.isEmpty else { return "\(missing.count) never arrived: \(missing.prefix(5))" }
            let other = state.bodies.keys.filter { expected[$0] != state.bodies[$0] }.sorted()
            guard other.isEmpty else { return "\(other.count) are not as in a calm run: \(other.prefix(5))" }
            let doubled = state.answers.filter { id, times in
                !unknown.contains(id)
                    && zip(times, times.dropFirst()).contains { first, second in
                        !state.stops.contains { first - 1 < $0 && $0 < second }
                    }
            }
            return doubled.isEmpty ? nil : "\(doubled.keys.sorted().prefix(5)) arrived twice without a stop between"
        }
    }
}
