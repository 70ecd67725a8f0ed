import Glibc
import PlaybackEngine

/// An engine whose reports are kept, with waits for what they say.
@safe final class EngineRecorder: @unchecked Sendable {
    /// Ends a test that would hang, and decides nothing else.
    private static let hangLimitSeconds = 300

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrival: UnsafeMutablePointer<pthread_cond_t>
    private var kept: [EngineReport] = []
    private var started: (any MediaEngine)?

    /// Records an engine of this process, or the one that is made.
    init(
        configuration: EngineConfiguration = EngineConfiguration(),
        make: (EngineConfiguration, @escaping @Sendable (EngineReport) -> Void) -> any MediaEngine = {
            PlaybackEngine(configuration: $0, handler: $1)
        }
    ) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe arrival = .allocate(capacity: 1)
        unsafe pthread_cond_init(arrival, nil)
        started = make(configuration) { [weak self] report in self?.keep(report) }
    }

    deinit {
        unsafe pthread_cond_destroy(arrival)
        unsafe arrival.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    var engine: any MediaEngine {
        guard let started else { preconditionFailure("the engine is made in the initialiser") }
        return started
    }

    var reports: [EngineReport] {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return kept
    }

    /// All events but the regular samples, tags and requests.
    var milestones: [EngineEvent] {
        reports.map(\.event).filter { event in
            switch event {
            case .playheadSample, .qualitySample, .tags, .requestCompleted, .requestFailed: false
            default: true
            }
        }
    }

    var failure: EngineError? {
        for case .failed(let error) in reports.map(\.event) { return error }
        return nil
    }

    private func keep(_ report: EngineReport) {
        unsafe pthread_mutex_lock(mutex)
        kept.append(report)
        unsafe pthread_cond_broadcast(arrival)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// The first report from an index on that satisfies a condition; nil when it does not come.
    @discardableResult
    func wait(from start: Int = 0, until condition: (EngineReport) -> Bool) -> EngineReport? {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += Self.hangLimitSeconds
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let found = kept.dropFirst(start).first(where: condition) { return found }
            guard unsafe pthread_cond_timedwait(arrival, mutex, &deadline) == 0 else { return nil }
        }
    }

    /// Waits for an event that is equal.
    @discardableResult
    func wait(for event: EngineEvent, from start: Int = 0) -> EngineReport? {
        wait(from: start) { $0.event == event }
    }

    func stop() {
        engine.send(.stop)
        engine.waitUntilStopped()
    }
}
