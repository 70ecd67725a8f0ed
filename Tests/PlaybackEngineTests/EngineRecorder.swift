import Glibc
import PlaybackEngine

/// An engine whose reports are kept, with waits for what they say.
@safe final class EngineRecorder: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var kept: [EngineReport] = []
    private var started: PlaybackEngine?

    init(configuration: EngineConfiguration = EngineConfiguration()) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        started = PlaybackEngine(configuration: configuration) { [weak self] report in
            self?.keep(report)
        }
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    var engine: PlaybackEngine {
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
        unsafe pthread_mutex_unlock(mutex)
    }

    /// The first report from an index on that satisfies a condition; nil when it does not come.
    @discardableResult
    func wait(from start: Int = 0, until condition: (EngineReport) -> Bool) -> EngineReport? {
        for _ in 0..<60_000 {
            if let found = reports.dropFirst(start).first(where: condition) { return found }
            usleep(5000)
        }
        return nil
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
