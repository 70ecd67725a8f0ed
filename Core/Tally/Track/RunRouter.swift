internal import Coordinator
internal import System

/// Whom a run asks and tells.
struct RunDelegate: Sendable {
    private weak let watched: (any PlayerDelegate)?
    private let kept: (any PlayerDelegate)?

    /// Is kept, or watched as long as it is somebody else's: an object that was ever looked at weakly costs a short
    /// track call a third more.
    init(_ delegate: (any PlayerDelegate)?, isKept: Bool) {
        watched = isKept ? nil : delegate
        kept = isKept ? delegate : nil
    }

    /// The delegate, if there is one and it is still there.
    var object: (any PlayerDelegate)? { kept ?? watched }
}

/// Between a run's coordinator and its delegate: errors, ended sessions and the run's end.
final class RunRouter: @unchecked Sendable {
    /// How long an ended session waits for the reporters, ms.
    private static let sessionLimit: Int64 = 10_000

    private struct State {
        var report: DestroyReport?
        var open = 0
        var reports: [TrackerReport] = []
    }

    private let coordinator: Coordinator
    private let callbacks: CallbackQueue
    private let delegate: RunDelegate
    private let state = Condition(State())

    init(coordinator: Coordinator, callbacks: CallbackQueue, delegate: RunDelegate) {
        self.coordinator = coordinator
        self.callbacks = callbacks
        self.delegate = delegate
    }

    /// Listens to the coordinator; before the run's thread starts.
    func attach() {
        if delegate.object != nil {
            coordinator.onFault = { [weak self] plugin, code, message, details in
                self?.report(TrackerError(plugin: plugin, code: code, message: message, details: details))
            }
        }
        coordinator.onSessionEnd = { [weak self] session in
            self?.sessionEnded(session)
        }
        updateReports()
    }

    /// What the trackers did: as of the run's end, or of the last session's.
    var statistics: [(name: String, enabled: Bool, statistics: TrackerStatistics)] {
        reports.map { ($0.name, $0.isEnabled, $0.statistics) }
    }

    /// What the trackers are and did: as of the run's end, of the last session's, or as they began.
    var reports: [TrackerReport] { state.with { $0.reports } }

    /// Ends the run with `finish`, then waits for what is on its way to the reporters.
    func destroy(
        _ mode: DestroyMode,
        _ finish: () -> (events: UInt64, outputs: UInt64),
        behind delivered: () -> Void
    ) -> DestroyReport {
        if let report = state.with({ $0.report }) { return report }
        let started = SystemTime.monotonic()
        var report = DestroyReport()
        (report.droppedEvents, report.droppedOutputs) = finish()
        updateReports()
        if case .drain(let limit) = mode {
            drain(until: started + limit * 1000, &report)
        }
        delivered()
        callbacks.close()
        state.change { $0.report = report }
        return report
    }

    // MARK: - Parts

    private func drain(until deadline: Int64, _ report: inout DestroyReport) {
        let answer = Condition<FlushAnswer?>(nil)
        let budget = max(0, (deadline - SystemTime.monotonic()) / 1000)
        coordinator.flush(session: 0, budget: budget) { done in
            answer.change { $0 = done }
        }
        let flushed = answer.wait(until: deadline) { $0 }
        report.delivered = flushed?.delivered ?? 0
        report.kept = flushed?.kept ?? 0
        report.droppedOutputs = flushed?.dropped ?? 0
        // In a call-back the next one cannot come before this one returns.
        let told = callbacks.isCurrent ? true : state.wait(until: deadline) { $0.open == 0 ? true : nil }
        report.inTime = flushed != nil && told == true
    }

    func report(_ error: TrackerError) {
        callbacks.post { [delegate] in
            delegate.object?.error(error)
        }
    }

    /// Called by the coordinator after the trackers have ended a session. [core]
    private func sessionEnded(_ session: UInt32) {
        updateReports()
        state.change { $0.open += 1 }
        let told = Lock(false)
        let tell: @Sendable (SessionReport) -> Void = { [delegate, state, callbacks] report in
            let first = told.with { told in
                defer { told = true }
                return !told
            }
            guard first else { return }
            callbacks.post {
                // Not counted as open any more before the call-back, so that it may destroy the run.
                state.change { $0.open -= 1 }
                delegate.object?.videoUnloaded(report)
            }
        }
        guard coordinator.hasTrackers else {
            tell(SessionReport(session: session))
            return
        }
        coordinator.flush(session: session, budget: Self.sessionLimit) { answer in
            tell(
                SessionReport(session: session, delivered: answer.delivered, kept: answer.kept, dropped: answer.dropped)
            )
        }
        callbacks.post(after: Self.sessionLimit * 1000) {
            tell(SessionReport(session: session, timedOut: true))
        }
    }

    private func updateReports() {
        let reports = coordinator.reports
        state.change { $0.reports = reports }
    }
}
