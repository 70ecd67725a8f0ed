internal import Glibc
internal import PluginABI

/// One configured reporter: its plugin instance, its queue and its thread.
@safe package final class ReporterInstance: OutputConsumer, @unchecked Sendable {
    /// The configured name.
    package let name: String
    /// What its plugin says of itself.
    package let plugin: PluginDescription
    package let wanted: UInt32

    private let queue: OutputQueue
    private let link: ReporterLink
    private let thread: Thread
    private let ended = Condition(false)

    /// Makes the instance on a thread of its own and waits until it is enabled.
    ///
    /// - Throws: ``PluginError`` when the plugin refuses; nothing is left behind.
    package init(
        name: String,
        entry: PluginCatalog.Entry,
        configuration: String,
        policy: QueuePolicy,
        log: PluginLog
    ) throws(PluginError) {
        let link = ReporterLink(name: name, log: log)
        let queue = OutputQueue(policy: policy)
        let started = Condition<Result<UInt32, PluginError>?>(nil)
        let ended = self.ended
        self.name = name
        plugin = entry.description
        self.queue = queue
        self.link = link
        thread = Thread(name: "r-\(name)") {
            let loop = ReporterLoop(link: link, queue: queue)
            loop.run(entry: entry, configuration: configuration) { result in
                started.change { $0 = result }
            }
            ended.change { $0 = true }
        }
        let result = started.wait(until: nil) { $0 }
        switch result {
        case .success(let wanted):
            self.wanted = wanted
        case .failure(let error):
            thread.join()
            throw error
        case nil:
            throw PluginError.createRefused(instance: name)
        }
    }

    package func consume(_ output: borrowing Output) {
        queue.append(output)
    }

    package func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        guard let token = link.expect(done) else {
            done(FlushAnswer())
            return
        }
        queue.append(FlushRequest(token: token, runID: runID, session: session, budget: budget))
    }

    /// What it did so far.
    package var statistics: ReporterStatistics {
        var statistics = link.statistics
        statistics.dropped += queue.dropped
        return statistics
    }

    /// Takes everything that waits, then disables and destroys the instance; waits at most `limit`, ms.
    ///
    /// - Returns: whether it ended in time. Otherwise its thread goes on, and the host may leave it behind.
    @discardableResult
    package func close(limit: Int64) -> Bool {
        queue.close()
        let deadline = SystemTime.monotonic() + limit * 1000
        let done = ended.wait(until: deadline) { $0 ? true : nil } ?? false
        if done {
            thread.join()
        }
        return done
    }
}
