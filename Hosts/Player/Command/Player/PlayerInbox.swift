internal import HostSupport
internal import PlaybackEngine
internal import System
internal import Tally

/// Commands for the player on their way to the engine's thread, which takes them every 20 ms.
final class PlayerInbox: Sendable {
    struct Entry: Sendable {
        let command: PlaybackCommand
        let done: @Sendable (ControlReply) -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var isClosed = false
    }

    private let state = Lock(State())

    /// Puts a command in; when the player takes none any more, `done` is called at once.
    func post(_ command: PlaybackCommand, _ done: @escaping @Sendable (ControlReply) -> Void) {
        let isTaken = state.with { state -> Bool in
            guard !state.isClosed else { return false }
            state.entries.append(Entry(command: command, done: done))
            return true
        }
        if !isTaken { done(Self.ended) }
    }

    func removeFirst() -> Entry? { state.with { $0.entries.isEmpty ? nil : $0.entries.removeFirst() } }

    /// Takes nothing more; what is in it is answered.
    func close() {
        let rest = state.with { state -> [Entry] in
            state.isClosed = true
            return state.entries.drain()
        }
        for entry in rest { entry.done(Self.ended) }
    }

    private static var ended: ControlReply { .failure(.ended, "playback is over") }
}
