/// Why another thread did not do a job.
package enum JobFailure: Error, Equatable {
    /// That thread has ended.
    case ended
    /// It did not come to it within the limit; what has not begun is not done later either.
    case timedOut
    /// The caller is that thread itself.
    case onOwnThread
}

/// Something that another thread does between two steps of its own; whoever gave it may wait for it.
package final class AwaitedJob<Argument>: @unchecked Sendable {
    private enum Stage {
        case waiting
        case running
        case done
        case dropped
        case givenUp
    }

    private let body: (Argument) -> Void
    private let stage = Condition(Stage.waiting)

    /// A job that calls `body`.
    package init(_ body: @escaping (Argument) -> Void) { self.body = body }

    /// Does it, unless whoever waits for it has given up.
    package func run(_ argument: Argument) {
        let begins = stage.change { stage -> Bool in
            guard stage == .waiting else { return false }
            stage = .running
            return true
        }
        guard begins else { return }
        body(argument)
        stage.change { $0 = .done }
    }

    /// The thread has ended.
    package func drop() { stage.change { $0 = $0 == .waiting ? .dropped : $0 } }

    /// Waits until it is done or dropped.
    ///
    /// What has not begun within `limit`, ms, is given up; what has begun is waited for as long again.
    package func wait(limit: Int64) -> JobFailure? {
        let begun = stage.wait(until: SystemTime.monotonic() + limit * 1000) { stage -> Bool? in
            stage == .waiting ? nil : true
        }
        if begun == nil {
            stage.change { $0 = $0 == .waiting ? .givenUp : $0 }
        }
        let ended = stage.wait(until: SystemTime.monotonic() + limit * 1000) { stage -> Stage? in
            stage == .running || stage == .waiting ? nil : stage
        }
        switch ended {
        case .done: return nil
        case .dropped: return .ended
        default: return .timedOut
        }
    }

    /// Waits for it and gives what `answer` then holds.
    package func value<Value>(_ answer: Condition<Value?>, limit: Int64) throws(JobFailure) -> Value {
        if let failure = wait(limit: limit) { throw failure }
        guard let value = answer.with({ $0 }) else { throw .ended }
        return value
    }
}
