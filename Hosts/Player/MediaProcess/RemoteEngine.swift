internal import CLinux
internal import Glibc
package import PlaybackEngine
internal import Synchronization
internal import System

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

    package var positionMs: Int64? { link.positionMs }
    package func send(_ command: EngineCommand) { link.send(command) }
    package func waitUntilStopped() { link.waitUntilOver() }

    /// The process's id; 0 when none could be started.
    package var processID: Int32 { link.child?.processID ?? 0 }
}

/// What the engine's owner and the thread that follows the process have in common.
final class EngineLink: Sendable {
    struct State: Sendable {
        /// The item, once it is to be opened.
        var location: String?
        var isStopping = false
        var isOver = false
        var follower: pthread_t?
    }

    let child: EngineChild?
    /// Why there is no process.
    let startFailure: String
    private let playheadMs = Atomic<Int64>(-1)
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

    /// The last known playhead, nil before the item is loaded.
    var positionMs: Int64? {
        get {
            let position = playheadMs.load(ordering: .relaxed)
            return position < 0 ? nil : position
        }
        set { playheadMs.store(newValue ?? -1, ordering: .relaxed) }
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

    func setFollower(_ thread: pthread_t) { state.with { $0.follower = thread } }

    /// Waits until there is an item, or none will come.
    func waitForItem() { _ = state.wait(until: nil) { $0.location != nil || $0.isStopping ? true : nil } }

    func finish() { state.change { $0.isOver = true } }

    /// Waits for the last report; the thread that makes it does not wait.
    func waitUntilOver() {
        _ = state.wait(until: nil) { state in
            let isOwn = state.follower.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            return isOwn || state.isOver ? true : nil
        }
    }
}
