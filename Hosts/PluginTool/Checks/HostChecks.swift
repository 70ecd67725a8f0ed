internal import Glibc
internal import PluginABI
internal import System

/// How a tracker deals with its host: what it hands over, when it calls, and what it does when it is refused.
enum HostChecks {
    static let group = CheckGroup(
        "The host",
        .tracker,
        [
            Check(
                "refused",
                needs: ["session"],
                "It copes with a host that refuses whatever it asks for.",
                remedy: "Look at what `record`, `beacon`, `start` and `put` return; never try again in a loop."
            ) { subject throws(Finding) in
                for status in [TALLY_ERR_STATE, TALLY_ERR_TOO_LARGE, TALLY_ERR_INTERNAL] {
                    let host = try CheckHost(subject)
                    host.refusal = status
                    host.create()
                    _ = host.initialize(subject.configuration)
                    // It may refuse in turn: what it must not is crash, or try for ever.
                    if host.enable() >= TALLY_OK {
                        host.play(.usual, try WantedTypes(subject))
                        host.disable()
                    }
                    host.destroy()
                }
            },
            Check(
                "blocks",
                needs: ["session"],
                "Records, beacons, timers and stored values are whole and within the limits.",
                remedy: "See limits and layout in the guide: `size` is a multiple of 8, no name is there twice."
            ) { subject throws(Finding) in
                for case .badBlock(let text) in try breaches(subject) { throw .failed(text) }
            },
            Check(
                "texts",
                needs: ["session"],
                "Texts that it hands over are UTF-8.",
                remedy: "Cut texts at whole characters; what is no text goes into an attribute of bytes."
            ) { subject throws(Finding) in
                for case .badText(let what) in try breaches(subject) { throw .failed("\(what) is no UTF-8") }
            },
            Check(
                "calls-in-time",
                needs: ["session", "disable-quiet"],
                "The host is called inside of its calls alone.",
                remedy: "Say what there is to say before the call returns; a timer is how to say something later."
            ) { subject throws(Finding) in
                for case .outsideOfCall(let function) in try breaches(subject) { throw .failed("it calls \(function)") }
            },
            Check(
                "calls-own-thread",
                needs: ["session"],
                "The host is called on the caller's thread.",
                remedy: "A tracker has no threads of its own; do the work in the call, or in a timer."
            ) { subject throws(Finding) in
                for case .onOtherThread(let function) in try breaches(subject) { throw .failed("it calls \(function)") }
            },
            Check(
                "events-unchanged",
                needs: ["session"],
                "Events that are lent stay as they are.",
                remedy: "Copy what you change: the same block goes to the next tracker."
            ) { subject throws(Finding) in
                let host = try played(subject)
                if let call = host.changedEvents.first { throw .failed("\(call) changes the event") }
            },
            Check(
                "newer-structures",
                needs: ["session", "repeat-instance"],
                "An event of a newer host, whose header and state are longer, reads the same.",
                remedy: "Find state, attributes and texts by their offsets, and copy no more than `struct_size` bytes."
            ) { subject throws(Finding) in
                let plain = try Exercise.transcript(subject)
                let grown = try Exercise.transcript(subject) { $0.growsEvents = true }
                try Exercise.compare(plain, grown, "it says something else then")
            },
            Check(
                "memory-lent",
                needs: ["session", "repeat-instance"],
                "What was lent for a call is not read behind it.",
                remedy: "Copy texts, configuration, run information and events that you keep."
            ) { subject throws(Finding) in
                let plain = try Exercise.transcript(subject)
                let overwritten = try Exercise.transcript(subject) { $0.overwrites = true }
                try Exercise.compare(plain, overwritten, "it says something else where lent memory is written over")
            },
            Check(
                "any-thread",
                needs: ["session", "repeat-instance"],
                "It does not matter which thread it is called on.",
                remedy: "Keep nothing in variables of the thread: the host's calls come one by one, on any thread."
            ) { subject throws(Finding) in
                let plain = try Exercise.transcript(subject)
                let host = try CheckHost(subject)
                try host.start(subject)
                let wanted = try WantedTypes(subject)
                for step in Course.usual.steps { OtherThread.run { _ = host.perform(step, wanted) } }
                host.finish()
                try Exercise.compare(plain, host.transcript, "it says something else on other threads")
            },
        ]
    )

    private static func played(_ subject: Subject) throws(Finding) -> CheckHost {
        let host = try CheckHost(subject)
        try host.start(subject)
        host.play(.usual, try WantedTypes(subject))
        // What comes late comes within a few milliseconds.
        usleep(2_000)
        host.finish()
        return host
    }

    private static func breaches(_ subject: Subject) throws(Finding) -> [CheckHost.Breach] {
        try played(subject).allBreaches
    }
}

/// Runs a body on a thread that ends with it.
private enum OtherThread {
    static func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            let work = Work(body)
            Thread(name: "tally-check") { work.body() }.join()
        }
    }

    /// Hands the body to the thread that runs it while the caller waits.
    private final class Work: @unchecked Sendable {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }
}
