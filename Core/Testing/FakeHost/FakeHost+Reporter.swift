internal import PluginABI
public import PluginKit

extension FakeHost {
    /// The kinds of outputs that a reporter wants, as it says now; nothing of it set stands for everything.
    public var wants: OutputKinds {
        unsafe reporter.map { unsafe OutputKinds(rawValue: $0.pointee.wants) } ?? []
    }

    /// Hands outputs to a reporter.
    ///
    /// - Returns: how many of them it took, from the first on; negative for an error.
    public func take(_ outputs: ReporterOutputs) -> Int64 {
        guard let plugin = unsafe plugin, let reporter = unsafe reporter else { return Int64(TALLY_ERR_UNSUPPORTED) }
        return unsafe reporter.pointee.take(plugin, outputs.list, UInt64(outputs.count))
    }

    /// Asks a reporter to bring away what it took; it answers in ``flushAnswers``, in this call or later.
    ///
    /// - Parameters:
    ///   - token: the number that its answer will have.
    ///   - session: the session that is meant, 0 for the whole run.
    ///   - budgetMilliseconds: how long the host would wait.
    public func flush(token: UInt64, session: UInt32 = 0, budgetMilliseconds: Int64 = 1000) {
        guard let plugin = unsafe plugin, let reporter = unsafe reporter else { return }
        unsafe tally_str.lend(playerRunID) { playerRunID in
            unsafe reporter.pointee.flush(plugin, token, playerRunID, session, budgetMilliseconds)
        }
    }

    private var reporter: UnsafePointer<tally_reporter>? {
        unsafe table(TALLY_EXT_REPORTER, tally_reporter.self)
    }
}
