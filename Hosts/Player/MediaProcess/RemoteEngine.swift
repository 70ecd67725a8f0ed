internal import Glibc
package import PlaybackEngine
internal import System
package import XML

/// An engine in a process of its own: what ends that process, or locks it up, ends the item and nothing else.
///
/// It says what the engine there says. When the process ends too early, or says nothing for too long and is ended for
/// that, the item has failed with ``EngineError/Code/engineCrashed``.
package final class RemoteEngine: MediaEngine {
    /// How long the process may say nothing while it has an item; a search for a host's address takes half a minute.
    package static let silenceLimitMs: Int64 = 60_000

    private let link: EngineLink

    /// Starts the process, as ``MediaPlatform/makeEngine(_:onTick:handler:)`` says.
    ///
    /// `program` is a player of this build.
    package init(
        configuration: EngineConfiguration = EngineConfiguration(),
        program: String = "/proc/self/exe",
        silenceLimitMs: Int64 = RemoteEngine.silenceLimitMs,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)? = nil,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        let link = EngineLink(program, configuration: configuration)
        self.link = link
        _ = Thread(name: "tally-media") {
            var following = EngineFollowing(link, silenceLimitMs: silenceLimitMs, onTick: onTick, handler: handler)
            following.run()
        }
    }

    deinit { link.send(.stop) }

    package var positionMs: Int64? { link.progress.positionMs }
    package func send(_ command: EngineCommand) { link.send(command) }
    package func waitUntilStopped() { link.progress.waitUntilFinished() }

    /// The process's id; 0 when none could be started.
    package var processID: Int32 { link.child?.processID ?? 0 }
}

/// The machine with its GStreamer, its clock and its network; each engine has a process of its own.
package struct Machine: MediaPlatform {
    /// There is one.
    package init() {}

    package var nowNs: Int64 { SystemTime.monotonic() * 1000 }
    package func sleep(milliseconds: Int64) { usleep(UInt32(milliseconds * 1000)) }
    package func startThread(_ body: @escaping @Sendable () -> Void) { _ = Thread(name: "tally-media", body) }

    package func makeEngine(
        _ configuration: EngineConfiguration,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) -> any MediaEngine {
        RemoteEngine(configuration: configuration, onTick: onTick, handler: handler)
    }

    package func document(
        _ url: String,
        as settings: RequestSettings,
        timeoutMs: Int64,
        limit: Int
    ) throws(FetchFailure) -> [UInt8] {
        try HTTPFetch.get(url, as: settings, timeoutMs: timeoutMs, limit: limit)
    }
}

/// What the engine's owner and the thread that follows the process have in common.
final class EngineLink: Sendable {
    struct State: Sendable {
        /// The item, once it is to be opened.
        var location: String?
        var isStopping = false
    }

    let child: EngineChild?
    /// Why there is no process.
    let startFailure: String
    let progress = EngineProgress()
    private let state = Condition(State())

    init(_ program: String, configuration: EngineConfiguration) {
        do throws(EngineChild.Failure) {
            let child = try EngineChild(program)
            child.channel.send(EngineOrder.begin(configuration))
            self.child = child
            startFailure = ""
        } catch {
            child = nil
            startFailure = error.text
        }
    }

    func send(_ command: EngineCommand) {
        state.change { state in
            switch command {
            case .load(let location): state.location = state.location ?? location
            case .stop: state.isStopping = true
            default: break
            }
        }
        child?.channel.send(EngineOrder.command(command))
    }

    var current: State { state.with { $0 } }

    /// Waits until there is an item, or none will come.
    func waitForItem() { _ = state.wait(until: nil) { $0.location != nil || $0.isStopping ? true : nil } }
}
