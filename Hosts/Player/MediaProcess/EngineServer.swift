internal import CLinux
internal import Glibc
internal import PlaybackEngine
internal import System

/// The process of one engine: takes orders from the player that started it, and ends with it.
package enum EngineServer {
    /// What a process is called that is one; it is the program of the player.
    package static let name = "tally-player-engine"
    /// The connection with the player.
    static let descriptor: Int32 = 3

    /// Serves until the player lets go.
    package static func run() -> Never {
        unsafe tally_name_thread("tally-engine")
        var none = rlimit()
        // The player tells of a crash; nobody looks for a core of hundreds of megabytes.
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let channel = FrameChannel(descriptor: descriptor)
        let outbox = Outbox(channel)
        HaltWatch.start(channel)
        LibraryComplaints.hand { outbox.add(.complaint($0)) }
        var engine: PlaybackEngine?
        while let order = channel.receive().value(EngineOrder.self) {
            switch order {
            case .begin(let configuration):
                engine = PlaybackEngine(
                    configuration: configuration,
                    onTick: { outbox.add(.tick(timeNs: $0, positionMs: $1)) },
                    handler: { outbox.add(.report($0)) }
                )
            case .command(let command): engine?.send(command)
            }
        }
        // Whatever still runs ends with the process.
        _exit(0)
    }
}

/// Sends what the engine says on a thread of its own, so that a player that is slow to read holds no playback up.
private final class Outbox: Sendable {
    private let waiting = Condition<[EngineNews]>([])

    init(_ channel: FrameChannel) {
        _ = Thread(name: "tally-outbox") { [waiting] in
            while let news = waiting.wait(until: nil, for: { $0.isEmpty ? nil : $0.drain() }) {
                for one in news { channel.send(one) }
            }
        }
    }

    /// Adds what is to be sent; of ticks that nobody has sent yet the last one counts.
    func add(_ news: EngineNews) {
        waiting.change { waiting in
            if case .tick = news, case .tick = waiting.last { waiting.removeLast() }
            waiting.append(news)
        }
    }
}

/// Stops this process when that of the player is stopped: what nobody watches does not play on.
///
/// The player continues it as it reads that this was about to happen, which it does once it runs again itself.
private enum HaltWatch {
    private static let stepUs: UInt32 = 50_000

    static func start(_ channel: FrameChannel) {
        let state = unsafe open("/proc/\(getppid())/stat", O_RDONLY | O_CLOEXEC)
        guard state >= 0 else { return }
        _ = Thread(name: "tally-halt") {
            while true {
                usleep(stepUs)
                guard isStopped(state) else { continue }
                channel.send(EngineNews.halting)
                kill(getpid(), SIGSTOP)
            }
        }
    }

    /// Whether the process is stopped by a signal; a debugger's stop is none.
    private static func isStopped(_ descriptor: Int32) -> Bool {
        var text = [UInt8](repeating: 0, count: 256)
        let count = unsafe text.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        // The state follows the program's name, which may have anything in it.
        guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return false
        }
        return text[end + 2] == UInt8(ascii: "T")
    }
}
