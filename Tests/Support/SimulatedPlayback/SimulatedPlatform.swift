internal import Coordinator
internal import Glibc
package import PlaybackEngine
internal import Synchronization
internal import System
package import Tally
package import XML

/// A player's surroundings on a virtual clock: hours pass in milliseconds.
///
/// Threads are real and take turns: one runs, and when it sleeps the next one in the order of time does, so that each run
/// is the same. The thread that makes the platform has the first turn, and time passes only while it sleeps too.
package final class SimulatedPlatform: MediaPlatform {
    /// Where a thread waits for its turn.
    final class Gate: Sendable {
        private let isOpen = Condition(false)

        func open() {
            isOpen.change { $0 = true }
        }

        func pass() {
            _ = isOpen.wait(until: nil) { $0 ? true : nil }
            isOpen.change { $0 = false }
        }
    }

    private struct Turn {
        var dueNs: Int64
        let order: Int
        let gate: Gate
    }

    private struct State {
        var nowNs: Int64
        var turns: [Turn] = []
        var order = 0
        var runs: [(run: PlayerRun, clock: VirtualClock, startNs: Int64)] = []
    }

    /// No test lets more time pass; one that does waits for something that never comes.
    private static let longestNs: Int64 = 30 * 86_400 * 1_000_000_000
    private static let startNs: Int64 = 1_000_000_000_000

    /// What can be opened, with what goes wrong.
    package let web: SimulatedWeb
    private let state = Mutex(State(nowNs: startNs))

    /// Time stands still until somebody sleeps.
    package init(_ web: SimulatedWeb) {
        self.web = web
    }

    package var nowNs: Int64 { state.withLock { $0.nowNs } }

    /// How much time has passed.
    package var passedMs: Int64 { (nowNs - Self.startNs) / 1_000_000 }

    package func sleep(milliseconds: Int64) {
        sleep(untilNs: nowNs + milliseconds * 1_000_000, at: Gate())
    }

    package func startThread(_ body: @escaping @Sendable () -> Void) {
        let gate = Gate()
        add(gate, dueNs: nowNs)
        _ = Thread(name: "tally-simulated") { [self] in
            gate.pass()
            body()
            goOn(of: nil)
        }
    }

    package func makeEngine(
        _ configuration: EngineConfiguration,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) -> any MediaEngine {
        SimulatedEngine(configuration, on: self, onTick: onTick, handler: handler)
    }

    package func document(
        _ url: String,
        as settings: RequestSettings,
        timeoutMs: Int64,
        limit: Int
    ) throws(FetchFailure) -> [UInt8] {
        let answer = web.answer(to: url, headers: settings.allHeaders(for: url))
        sleep(milliseconds: min(answer.latencyMs, timeoutMs))
        guard answer.latencyMs <= timeoutMs else {
            throw FetchFailure(reason: "no answer within \(timeoutMs) ms")
        }
        guard answer.status < 400 else {
            throw FetchFailure(status: answer.status, reason: "the server answered with status \(answer.status)")
        }
        guard answer.body.count <= limit else {
            throw FetchFailure(reason: "the answer is larger than \(limit) bytes")
        }
        return answer.body
    }

    /// Begins a player run whose time is this platform's.
    package func startRun(
        _ telemetry: Telemetry,
        _ delegate: any PlayerDelegate,
        _ archive: String?
    ) throws(TelemetryError) -> PlayerRun {
        let clock = VirtualClock()
        let number = state.withLock { $0.runs.count }
        let environment = RunEnvironment(
            description: RunDescription(id: "simulated\(number)", epoch: 1_768_651_200_000_000),
            clock: clock,
            pumped: true
        )
        let run = try PlayerRun(telemetry: telemetry, delegate: delegate, archive: archive, environment: environment)
        state.withLock { $0.runs.append((run, clock, $0.nowNs)) }
        return run
    }

    /// Lets all threads come to their end.
    package func finish() {
        while state.withLock({ !$0.turns.isEmpty }) { sleep(milliseconds: 1000) }
        state.withLock { $0.runs = [] }
    }

    // MARK: - Turns

    /// Sleeps until a time, or until the gate is woken.
    func sleep(untilNs dueNs: Int64, at gate: Gate) {
        add(gate, dueNs: dueNs)
        goOn(of: gate)
    }

    /// Lets whoever sleeps at the gate go on at once.
    func wake(_ gate: Gate) {
        state.withLock { state in
            for index in state.turns.indices where state.turns[index].gate === gate {
                state.turns[index].dueNs = min(state.turns[index].dueNs, state.nowNs)
            }
        }
    }

    private func add(_ gate: Gate, dueNs: Int64) {
        state.withLock { state in
            state.order += 1
            state.turns.append(Turn(dueNs: dueNs, order: state.order, gate: gate))
        }
    }

    /// Gives the turn to whoever is next, and waits for the next one at the own gate.
    private func goOn(of own: Gate?) {
        let (next, advanced) = state.withLock { state -> (Gate?, [(run: PlayerRun, clock: VirtualClock, us: Int64)]) in
            guard let turn = state.turns.min(by: { ($0.dueNs, $0.order) < ($1.dueNs, $1.order) }) else {
                return (nil, [])
            }
            state.turns.removeAll { $0.gate === turn.gate }
            let advances = turn.dueNs > state.nowNs
            state.nowNs = max(state.nowNs, turn.dueNs)
            precondition(state.nowNs - Self.startNs < Self.longestNs, "what is waited for never comes")
            let nowNs = state.nowNs
            return (turn.gate, advances ? state.runs.map { ($0.run, $0.clock, (nowNs - $0.startNs) / 1000) } : [])
        }
        for (run, clock, us) in advanced {
            run.pump()
            clock.advance(to: us)
            run.pump()
        }
        guard next !== own else { return }
        next?.open()
        own?.pass()
    }
}
