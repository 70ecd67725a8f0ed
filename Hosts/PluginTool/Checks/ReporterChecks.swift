internal import Glibc
internal import PluginABI
internal import PluginKit
internal import TallyTesting

/// How a reporter takes what is said, and brings it away.
enum ReporterChecks {
    private static let knownWants: UInt32 = (1...9).reduce(TALLY_WANTS_RECOVERED) { $0 | 1 << UInt32($1) }

    static let group = CheckGroup(
        "Outputs",
        .reporter,
        [
            Check(
                "take",
                needs: ["init"],
                "`take` returns how many outputs it took: not more than there are.",
                remedy: "Return the number taken from the first on, 0 to `count`; negative only for an error."
            ) { subject throws(Finding) in
                let (host, outputs) = (try started(subject), Exercise.outputs())
                let taken = host.take(outputs)
                host.finish()
                guard taken >= 0 else { throw .failed("it returned \(taken) for ordinary outputs") }
                guard taken <= outputs.count else { throw .failed("it took \(taken) of \(outputs.count)") }
            },
            Check(
                "take-nothing",
                needs: ["take"],
                "Nothing at all can be taken.",
                remedy: "Return 0 when `count` is 0."
            ) { subject throws(Finding) in
                let host = try started(subject)
                let taken = host.take(ReporterOutputs())
                host.finish()
                guard taken == 0 else { throw .failed("it returned \(taken) for no outputs") }
            },
            Check(
                "take-unknown",
                needs: ["take"],
                "Kinds of outputs that it does not know are taken and left alone.",
                remedy: "Count an unknown kind as taken, and do not look at its `item`."
            ) { subject throws(Finding) in
                let outputs = ReporterOutputs()
                for kind in [10, 77, UInt32.max] as [UInt32] { outputs.add(kind: kind) }
                let host = try started(subject)
                let taken = host.take(outputs)
                host.finish()
                guard taken >= 0 else { throw .failed("it returned \(taken) for kinds of a newer host") }
            },
            Check(
                "take-large",
                needs: ["take"],
                "Large outputs are survived.",
                remedy: "Keep texts in memory that grows; a record may have 256 KiB, a text 64 KiB."
            ) { subject throws(Finding) in
                let host = try started(subject)
                _ = host.take(Exercise.outputs(textBytes: 14_000))
                host.finish()
            },
            Check(
                "take-odd",
                needs: ["take"],
                "Outputs in an order that makes no sense are survived.",
                remedy: "Take an end without a beginning for what it is: a run may have begun before the reporter did."
            ) { subject throws(Finding) in
                let outputs = ReporterOutputs()
                outputs.add(.sessionEnd, at: 1, session: 7)
                outputs.add(.runEnd, at: 2)
                outputs.addGap(3, at: 3)
                outputs.add(.runEnd, at: 4)
                outputs.add(.runBegin, at: 5)
                let host = try started(subject)
                _ = host.take(outputs)
                host.finish()
            },
            Check(
                "flush",
                needs: ["take"],
                "A flush is answered once, with its token.",
                remedy:
                    "Call `flushed` of `tally.host-reporter/1` for each `flush`, in the call or later, within the budget."
            ) { subject throws(Finding) in
                let host = try started(subject)
                _ = host.take(Exercise.outputs())
                host.flush(token: 42)
                for _ in 0..<150 where host.flushed.isEmpty { usleep(2_000) }
                host.finish()
                let answers = host.flushed
                guard answers.count == 1 else {
                    throw .failed(answers.isEmpty ? "there is no answer" : "there are \(answers.count) answers")
                }
                guard answers[0][0] == 42 else { throw .failed("the answer has the token \(answers[0][0]), not 42") }
            },
            Check(
                "wants",
                needs: ["init"],
                "It wants kinds of outputs that there are.",
                remedy: "Set bits `1 << TALLY_OUTPUT_...` in `wants`, or 0 for all."
            ) { subject throws(Finding) in
                let host = try started(subject)
                let wants = unsafe host.table(TALLY_EXT_REPORTER, tally_reporter.self)?.pointee.wants ?? 0
                host.finish()
                guard wants & ~knownWants == 0 else { throw .failed("wants has unknown bits: \(wants & ~knownWants)") }
            },
        ]
    )

    private static func started(_ subject: Subject) throws(Finding) -> CheckHost {
        let host = try CheckHost(subject)
        try host.start(subject)
        return host
    }
}
