internal import EventModel
internal import Glibc
internal import HostSupport
internal import PluginABI
internal import Tally
internal import TallyTesting
internal import TextEncoding

/// Whether a tracker says the same when the same happens: what makes a replay worth something.
enum RepeatChecks {
    private static let remedy =
        "Read no clock, no random source, no environment, and let no address and no order of a hash table into what you "
        + "say; numbers come from `tally.random/1`."
    private static let stateRemedy =
        "Keep nothing in global variables: all that an instance knows hangs on `plugin_data`."

    static let group = CheckGroup(
        "Sessions",
        .tracker,
        [
            Check(
                "session",
                needs: ["init", "life-twice"],
                "It goes through an ordinary session without an error.",
                remedy: "Return an error only for an event that you could not use: 20 in a row disable the instance."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                try host.start(subject)
                let errors = host.play(.usual, try WantedTypes(subject))
                host.finish()
                if let error = errors.first { throw .failed(error) }
            },
            Check(
                "joined",
                needs: ["session"],
                "It can join a session that goes on.",
                remedy: "Begin from the snapshot's state and attributes: no earlier event comes again."
            ) { subject throws(Finding) in
                let known: [(String, PlainValue)] = [("joined", .bool(true)), ("video_id", .string("film-1"))]
                try CheckHost.working(subject) { host throws(Finding) in
                    host.play(Course([.begin(known)] + Course.usual.steps.dropFirst(12)), try WantedTypes(subject))
                }
            },
            Check(
                "repeat-process",
                needs: ["session"],
                "Two processes say the same: on another day, and in another environment.",
                remedy: remedy
            ) { subject throws(Finding) in
                // The other one has other addresses, other surroundings and another time.
                let surroundings = ["HOME=/nowhere", "TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "USER=nobody"]
                guard let other = SecondProcess.run(subject, environment: surroundings), other.status == 0 else {
                    throw .failed("it does not come back in a second process")
                }
                unsafe setenv("TALLY_CHECK", "1", 1)
                usleep(1_500)
                let own = try Exercise.transcript(subject)
                try Exercise.compare(other.lines, own)
            },
            Check(
                "repeat-instance",
                needs: ["repeat-process"],
                "A second instance of the process says the same as the first.",
                remedy: stateRemedy
            ) { subject throws(Finding) in
                let first = try Exercise.transcript(subject)
                try Exercise.compare(first, try Exercise.transcript(subject))
            },
            Check(
                "repeat-session",
                needs: ["repeat-instance"],
                "What a session says does not depend on how many events came before it in another run.",
                remedy: stateRemedy
            ) { subject throws(Finding) in
                let first = try Exercise.transcript(subject)
                _ = try Exercise.transcript(subject) {
                    $0.runID = "another-run"
                    $0.instance = "another"
                }
                try Exercise.compare(first, try Exercise.transcript(subject))
            },
            Check(
                "side-by-side",
                needs: ["repeat-instance"],
                "Two instances at the same time do not know each other.",
                remedy: stateRemedy
            ) { subject throws(Finding) in
                let alone = try Exercise.transcript(subject)
                let hosts = try [CheckHost(subject), CheckHost(subject)]
                let name = { (host: CheckHost) in (host.runID, host.instance) = ("beside-run", "beside") }
                let otherAlone = try Exercise.transcript(subject, .beside, name)
                name(hosts[1])
                for host in hosts { try host.start(subject) }
                let wanted = try WantedTypes(subject)
                for (step, other) in zip(Course.usual.steps, Course.beside.steps) {
                    _ = hosts[1].perform(other, wanted)
                    _ = hosts[0].perform(step, wanted)
                }
                for host in hosts { host.finish() }
                try Exercise.compare(alone, hosts[0].transcript)
                try Exercise.compare(otherAlone, hosts[1].transcript)
            },
            Check(
                "disabled-between",
                needs: ["session", "joined"],
                "It can be disabled in mid-session, and joins again.",
                remedy: "Drop the session in `session_end`, whatever the reason; a new `session_begin` comes."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                try host.start(subject)
                let wanted = try WantedTypes(subject)
                let steps = Course.usual.steps
                host.play(Course(Array(steps.prefix(12)) + [.end(TALLY_END_DISABLE)]), wanted)
                host.disable()
                host.time += 2_000_000
                guard host.enable() >= TALLY_OK else { throw .failed("enable in mid-session is refused") }
                let errors = host.play(Course([.begin([("joined", .bool(true))])] + steps.dropFirst(12)), wanted)
                host.finish()
                if let error = errors.first { throw .failed(error) }
            },
            Check(
                "replaced",
                needs: ["repeat-instance"],
                "An instance that is made in mid-session and told all events so far goes on as the old one would.",
                remedy: stateRemedy
            ) { subject throws(Finding) in
                let whole = try Exercise.transcript(subject)
                let wanted = try WantedTypes(subject)
                let hosts = try [CheckHost(subject), CheckHost(subject)]
                let half = Course.usual.steps.count / 2
                let told = Course(Array(Course.usual.steps.prefix(half)))
                try hosts[0].start(subject)
                hosts[0].play(told, wanted)
                // The old one is still there while the new one is told.
                try hosts[1].start(subject)
                hosts[1].play(told, wanted)
                let said = hosts[0].transcript
                let heard = hosts[1].transcript.count
                hosts[0].finish()
                hosts[1].play(Course(Array(Course.usual.steps.dropFirst(half))), wanted)
                hosts[1].finish()
                let joined = said + hosts[1].transcript.dropFirst(heard)
                try Exercise.compare(whole, joined)
            },
            Check(
                "replay-twice",
                needs: [
                    "repeat-session", "destroy-at-once", "id", "ids-differ", "version", "capabilities",
                    "required-extensions",
                ],
                limit: 10_000,
                "A replay of an archive says the same twice.",
                remedy: remedy
            ) { subject throws(Finding) in
                let first = try Replayed.lines([subject], SampleRun.two)
                try Exercise.compare(first, try Replayed.lines([subject], SampleRun.two))
            },
            Check(
                "live-and-replay",
                needs: ["replay-twice"],
                limit: 10_000,
                "The replay of a run says what the run said live.",
                remedy: remedy
            ) { subject throws(Finding) in
                let run = try Replayed.live(subject)
                try Exercise.compare(run.live, run.replayed)
            },
            Check(
                "replay-joined",
                needs: ["replay-twice"],
                limit: 10_000,
                "Runs say the same in one archive as in an archive each.",
                remedy: stateRemedy
            ) { subject throws(Finding) in
                let joined = try Replayed.lines([subject], SampleRun.two)
                // The second first: what one archive leaves behind would do for the next one what it does in one.
                let second = try Replayed.lines([subject], SampleRun.second)
                let split = try Replayed.lines([subject], SampleRun.first) + second
                try Exercise.compare(joined, split)
            },
            Check(
                "replay-beside",
                needs: ["replay-twice", "side-by-side"],
                limit: 10_000,
                "It says the same alone and beside another instance and another plugin in the same replay.",
                remedy: stateRemedy
            ) { subject throws(Finding) in
                let alone = try Replayed.lines([subject], SampleRun.first)
                let others = [subject] + (Subject.own("example-c").map { [$0] } ?? [])
                let beside = try Replayed.lines([subject] + others, SampleRun.first)
                try Exercise.compare(alone, beside)
            },
        ]
    )
}

/// What an instance says in a real replay.
private enum Replayed {
    /// What the first of the subjects says.
    static func lines(_ subjects: [Subject], _ archive: String) throws(Finding) -> [String] {
        let path = "check-archive-\(getpid()).tally"
        do {
            try TextFile.replace(path, with: archive)
            let plugins = try subjects.enumerated().map { number, subject in
                PluginSelection(
                    try subject.id(),
                    name: number == 0 ? "check" : "beside-\(number)",
                    configuration: try JSONParser().parse(subject.configuration)
                )
            }
            // A plugin that stands beside itself, by whatever path, is one file.
            var files: [String: String] = [:]
            for (subject, plugin) in zip(subjects, plugins) {
                files[plugin.plugin] = files[plugin.plugin] ?? subject.path
            }
            let transcript = try RecordedRun.replay(
                path,
                through: plugins,
                from: files.values.sorted().map { .file($0) },
                asRecorded: false
            )
            return transcript.lines(of: "check")
        } catch {
            throw .failed("the replay ends with: \(error)")
        }
    }

    /// What an instance says in a run of a made-up viewer on a virtual clock, and in the replay of the run's archive.
    static func live(_ subject: Subject) throws(Finding) -> (live: [String], replayed: [String]) {
        let configuration = (try? JSONParser().parse(subject.configuration)) ?? .object([:])
        let plugins = [PluginSelection(try subject.id(), name: "check", configuration: configuration)]
        let sources = [PluginSource.file(subject.path)]
        do {
            let actions = ActionSequence(seed: 11, count: 80, legal: 85, longestWait: 8_000_000)
            let run = try VirtualRun(plugins: plugins, sources: sources).record(actions)
            let replayed = try run.replay(through: plugins, from: sources, asRecorded: false)
            return (run.live.lines(of: "check"), replayed.lines(of: "check"))
        } catch {
            throw .failed("the run ends with: \(error)")
        }
    }
}
