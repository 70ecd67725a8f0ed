internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import System

/// How much a tracker has put out in the call that is open.
struct CallSpending {
    private(set) var outputs = 0
    private(set) var bytes = 0

    /// Adds an output.
    ///
    /// - Throws: why it is one too many; nothing is added then.
    @inline(__always)
    mutating func add(_ more: Int) throws(OutputRefusal) {
        guard outputs < Limits.callOutputs else {
            throw .tooLarge(.callOutputs, "would be number", outputs + 1, "of one call", limit: Limits.callOutputs)
        }
        guard bytes <= Limits.callBytes - more else {
            throw .tooLarge(.callBytes, "would make in one call", bytes + more, "bytes", limit: Limits.callBytes)
        }
        outputs += 1
        bytes += more
    }
}

// Calls into the plugin, which may not come back. [core]
extension TrackerInstance {
    /// Opens the window for a call into the plugin: the one place where it is opened.
    @inline(__always)
    func inCall<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let before = window.open()
        spent = CallSpending()
        spoken = lent.spoken
        defer { window.close(before) }
        return try body()
    }

    /// Makes a call, and hands on what it said once it has come back; without a result the tracker is out of the run.
    @inline(__always)
    func perform(_ body: () throws(PluginError) -> Void) {
        let begun = times == nil ? 0 : SystemTime.nanoseconds()
        do throws(PluginError) {
            try inCall(body)
        } catch {
            if error.isStuck { return leaveBehind(error) }
        }
        if times != nil { count(callFrom: begun) }
        if !spoken.isEmpty { handOn() }
    }

    private func count(callFrom begun: Int64) {
        times?.add(from: begun)
        guard setup.callsOverBudget > 0, let times, times.overBudget == setup.callsOverBudget, !isOverBudget else {
            return
        }
        isOverBudget = true
        onOverBudget?()
    }

    /// Hands on what a call said that is over, however it went.
    func finishCall(_ error: PluginError?) {
        if let error, error.isStuck { return leaveBehind(error) }
        if !spoken.isEmpty { handOn() }
    }

    /// Goes on without the plugin: it is in a call that was given up, which has said nothing.
    ///
    /// The plugin keeps what it was lent, this object among it, for it goes on asking the host for something, or does
    /// so at any time. So nothing that it may use meanwhile is touched here.
    func leaveBehind(_ error: PluginError) {
        _ = unsafe Unmanaged.passRetained(self)
        lent.leaveSpokenBehind()
        if case .stuck(_, _, let call) = error { stuckIn = call }
        mayEmit = false
        isEnabled = false
        statistics.errors += 1
        times?.add(Int64(setup.callLimit) * 1_000_000)
        failure = error.reason
        log.write(name, TALLY_LOG_ERROR, error.reason)
        onStuck?()
    }

    /// Stands in the place of a tracker that was left behind, and does nothing.
    convenience init(inPlaceOf stuck: TrackerInstance, run: RunDescription) {
        self.init(stuck.setup, run: run, router: stuck.router, log: stuck.log, lending: stuck.lent)
        statistics = stuck.statistics
        times = stuck.times
        stuckIn = stuck.stuckIn
        failure = stuck.failure
        held = stuck.held
    }

    private func handOn() {
        spoken.removeAll { pass($0) }
    }
}
