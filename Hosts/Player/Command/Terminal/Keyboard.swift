internal import Glibc
internal import HostSupport
internal import Synchronization
internal import System
internal import Tally

/// Gives the player the commands that keys stand for, as long as it plays.
final class Keyboard: Sendable {
    private static let stepMs: Int32 = 50
    /// After so many steps a lone escape is no arrow's beginning any more.
    private static let patience = 2

    private let snapshot: Lock<PlayerSnapshot>
    private let figures: Lock<PlaybackFigures>
    private let inbox: PlayerInbox
    private let log: LogPrinter
    private let isClosing = Atomic<Bool>(false)
    private let isDone = Atomic<Bool>(false)

    /// Begins to read keys; nil when standard input is no terminal of this program.
    init?(_ played: (Lock<PlayerSnapshot>, Lock<PlaybackFigures>), _ inbox: PlayerInbox, log: LogPrinter) {
        guard KeyMode.enter() else { return nil }
        (snapshot, figures) = played
        self.inbox = inbox
        self.log = log
        _ = Thread(name: "tally-keys") { [self] in read() }
    }

    /// Reads no more keys, and puts the terminal back as it was.
    func close() {
        isClosing.store(true, ordering: .relaxed)
        while !isDone.load(ordering: .acquiring) { usleep(5000) }
        KeyMode.end()
    }

    private func read() {
        var bytes: [UInt8] = []
        var quietSteps = 0
        while !isClosing.load(ordering: .relaxed) {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&input, 1, Self.stepMs)
            if input.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { break }
            guard count > 0, KeyMode.isForeground else {
                quietSteps += 1
                if quietSteps > Self.patience { bytes = [] }
                if count > 0 { usleep(UInt32(Self.stepMs) * 1000) }
                continue
            }
            quietSteps = 0
            var buffer = [UInt8](repeating: 0, count: 64)
            let length = unsafe buffer.withUnsafeMutableBytes { target in
                unsafe Glibc.read(STDIN_FILENO, target.baseAddress, target.count)
            }
            guard length > 0 else {
                usleep(UInt32(Self.stepMs) * 1000)
                continue
            }
            bytes += buffer.prefix(length)
            for key in Key.read(from: &bytes) { press(key) }
        }
        isDone.store(true, ordering: .releasing)
    }

    private func press(_ key: Key) {
        let log = log
        guard let command = key.command(snapshot.with { $0 }, isWanted: figures.with { $0.isWanted }) else {
            return log.show(.info, Key.help)
        }
        inbox.post(command) { reply in
            if case .failure(let problem) = reply { log.show(.warning, problem.description) }
        }
    }
}
