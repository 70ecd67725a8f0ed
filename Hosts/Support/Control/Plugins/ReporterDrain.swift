package import Tally
internal import TextEncoding

/// Lets reporters deliver what they have without ending them.
package enum ReporterDrain {
    /// Asks all reporters and waits for their answers, at most `limit`, ms.
    package static func reply(run: any ControlledPlayback, telemetry: Telemetry, limit: Int64) -> ControlReply {
        // What was put out before is with the reporters when this returns.
        _ = run.plugins()
        let runs = run.openRuns
        let reporters = telemetry.reporters.filter(\.isEnabled)
        let answers = Condition((count: 0, sum: FlushAnswer()))
        for reporter in reporters {
            for id in runs {
                reporter.flush(runID: id, session: 0, budget: limit) { answer in
                    answers.change { answers in
                        answers.count += 1
                        answers.sum.delivered += answer.delivered
                        answers.sum.kept += answer.kept
                        answers.sum.dropped += answer.dropped
                    }
                }
            }
        }
        let deadline = SystemTime.monotonic() + limit * 1000
        let inTime = answers.wait(until: deadline) { $0.count == reporters.count * runs.count ? true : nil } ?? false
        let sum = answers.with { $0.sum }
        guard inTime else {
            return .failure(.timedOut, "reporters did not deliver all within \(Double(limit) / 1000) s; they go on")
        }
        return .success([
            "delivered": .int(Int64(clamping: sum.delivered)), "kept": .int(Int64(clamping: sum.kept)),
            "lost": .int(Int64(clamping: sum.dropped)),
        ])
    }
}
