internal import CLinux
internal import Coordinator
internal import Glibc
package import PluginLoading
internal import Synchronization
internal import System

/// What the run's thread and the player's thread for processes tell each other.
final class IsolationState: Sendable {
    /// What is known of a tracker.
    struct Known: Sendable {
        var failure = ""
        /// What it did not come back from, where the run goes on without it for that.
        var stuckIn: String?
        /// Whether the run goes on without it.
        var isOut = false
        var process: Int32?
        var commands: [PluginCommand] = []
        /// What puts it to work that took the place of one that failed; empty for others.
        var advice = ""
        /// Where it stood when its process was ready, and whether it spoke before it was told anything.
        var standing = TrackerStanding()
        var hasSpokenFirst = false
        var statistics = TrackerStatistics()
        /// What the process and the player share that began when the run was over.
        var lastPage: TrackerPage?
    }

    /// What the run is to do about a tracker whose process has ended.
    struct Change: Sendable {
        let tracker: IsolatedTracker
        /// Whether it goes on without the tracker; otherwise the next process begins.
        let isOut: Bool
    }

    /// The number of the last message of which the run has said all that it says.
    let completed = Atomic<UInt64>(0)
    /// The number of the message that ends the run; the largest number while it goes on.
    let endNumber = Atomic<UInt64>(.max)
    /// Whether the thread sleeps until it is called.
    let isAsleep = Atomic<Bool>(false)
    /// Whether the thread, while it sleeps, has read what waits until the run has said all that it says.
    let waitsForRun = Atomic<Bool>(false)
    /// What the thread is called by, from this process and from others.
    let call: Int32
    /// Trackers that the ring has overtaken.
    let late = Lock<[String]>([])
    /// Trackers that cannot begin anew: what the run was told is not kept.
    let lost = Lock<[String]>([])
    /// Trackers that have joined the run, and those that did not join after all.
    let added = Lock<[IsolatedTracker]>([])
    let forgotten = Lock<[String]>([])
    /// Who takes the places of trackers.
    let successors = Lock<[(tracker: IsolatedTracker, successor: IsolatedTracker.Successor)]>([])
    let known = Lock<[String: Known]>([:])
    let answers = Lock<[TrackerAnswer.Key: TrackerAnswer]>([:])
    let listener = Lock(IsolationListener())
    /// What the run's thread has not done yet; nil once the run is over.
    let changes = Lock<[Change]?>([])
    /// Has the run's thread do it at an event boundary; nil while nobody can be asked.
    let boundary = Lock<(@Sendable () -> Void)?>(nil)

    init() throws(SystemFailure) {
        call = tally_eventfd()
        guard call >= 0 else { throw SystemFailure() }
    }

    deinit { close(call) }

    /// Calls the thread if it sleeps; what it is called for has to be visible to all before.
    func callIfAsleep() {
        guard isAsleep.load(ordering: .sequentiallyConsistent),
            isAsleep.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        callNow()
    }

    /// Calls the thread.
    func callNow() {
        var one: UInt64 = 1
        unsafe withUnsafeBytes(of: &one) { unsafe try? FileDescriptor(call).writeAll($0) }
    }

    /// Answers who waits for what a tracker was asked up to a message: it will not answer.
    func refuseAnswers(of tracker: String, upTo number: UInt64 = .max, _ reason: String) {
        let waiting = answers.with { answers in
            let waiting = answers.filter { $0.key.tracker == tracker && $0.key.number <= number }
            for key in waiting.keys { answers[key] = nil }
            return Array(waiting.values)
        }
        for answer in waiting { answer.give(.failure(.refusedElsewhere(instance: tracker, reason: reason))) }
    }

    /// Forgets all calls.
    func answerCalls() {
        var count: UInt64 = 0
        _ = unsafe read(call, &count, MemoryLayout<UInt64>.size)
    }
}

/// How trackers are given processes of their own.
struct IsolationSettings: Sendable {
    /// The program that such a process runs.
    let program: String
    /// Bytes of address space that it may have.
    let memoryBytes: Int
    /// How long it may not get on while it has something to do, us.
    let limit: Int64
    /// How long what others say waits for it, us.
    let hold: Int64
    /// After how many ends of its processes within ten minutes a tracker is left out.
    let mostEnds: Int
    /// The run's ring, which can only be read by this descriptor.
    let ring: Int32
    /// What a process calls the player's thread by.
    let call: Int32
}

/// Who is told of what trackers in other processes say beside their outputs.
package struct IsolationListener: Sendable {
    /// Persistent values.
    package var onStore: (@Sendable (_ instance: String, _ key: String, _ value: String) -> Void)?
    /// Errors that concern the player.
    package var onFault: (@Sendable (_ instance: String, _ code: String, _ message: String, _ details: String) -> Void)?
    /// One is at work no more: the core has disabled it for its errors, or it is out.
    package var onDisabled: (@Sendable (_ instance: String) -> Void)?
    /// The run goes on without one: its processes have ended too often, or cannot begin anew.
    package var onOut: (@Sendable (_ instance: String, _ plugin: PluginDescription, _ end: IsolatedEnd) -> Void)?
    /// Timers may be due earlier than the run's thread knows.
    package var onDeadline: (@Sendable () -> Void)?

    /// Nobody is told.
    package init() {}
}

/// Why a run goes on without a tracker that had a process of its own.
package struct IsolatedEnd: Sendable {
    /// What happened, one sentence without its full stop.
    package let reason: String
    /// Whether its file is the cause, so that it belongs into quarantine.
    package let isItsFault: Bool
    /// Whether it did not come back in time; otherwise its process ended.
    package let isHang: Bool
}

/// The answer of a tracker in another process, when it comes.
final class TrackerAnswer: LaterAnswer, @unchecked Sendable {
    /// What is answered: a message of the run, by a tracker.
    struct Key: Hashable, Sendable {
        let tracker: String
        let number: UInt64
    }

    private let tracker: String
    private let answer = Condition<Result<String, PluginError>?>(nil)

    init(tracker: String) { self.tracker = tracker }

    /// Gives the answer.
    func give(_ result: Result<String, PluginError>) { answer.change { $0 = $0 ?? result } }

    func value(limit: Int64) -> Result<String, PluginError> {
        answer.wait(until: SystemTime.monotonic() + limit * 1000) { $0 }
            ?? .failure(.noAnswer(instance: tracker))
    }
}

extension Lock {
    /// Gives what was put in, and forgets it.
    func removeAll<Element>() -> [Element] where Value == [Element] {
        with { elements in
            defer { elements = [] }
            return elements
        }
    }
}
