internal import EventModel
internal import PluginABI
internal import PluginKit
internal import TallyTesting

/// What instances are put through when a check needs them to have worked: a session, or outputs.
enum Exercise {
    /// Has an enabled instance do its work once.
    static func perform(_ host: CheckHost, _ subject: Subject) throws(Finding) {
        if try subject.isReporter() {
            guard host.take(outputs()) >= 0 else { return }
            host.flush(token: 1)
        } else {
            host.play(.usual, try WantedTypes(subject))
        }
    }

    /// The lines that a fresh instance says in a course, after what the closure sets of its host.
    static func transcript(
        _ subject: Subject,
        _ course: Course = .usual,
        _ set: (CheckHost) -> Void = { _ in }
    ) throws(Finding) -> [String] {
        let host = try CheckHost(subject)
        set(host)
        try host.start(subject)
        host.play(course, try WantedTypes(subject))
        host.finish()
        return host.transcript
    }

    /// Holds two transcripts against each other; what it means that they differ may be said before where they do.
    static func compare(_ one: [String], _ other: [String], _ meaning: String? = nil) throws(Finding) {
        guard let difference = difference(one, other) else { return }
        throw .failed(meaning.map { "\($0): \(difference)" } ?? difference)
    }

    /// Where two transcripts differ first, for people; nil when they are the same.
    private static func difference(_ one: [String], _ other: [String]) -> String? {
        for index in 0..<max(one.count, other.count) {
            let left = index < one.count ? one[index] : "nothing"
            let right = index < other.count ? other[index] : "nothing"
            if left != right { return "line \(index + 1): \(left.prefix(160)) / \(right.prefix(160))" }
        }
        return nil
    }

    /// The outputs of a small run: its begin, a session with events, a record and a beacon, its end.
    static func outputs(textBytes: Int = 5) -> ReporterOutputs {
        let outputs = ReporterOutputs(playerRunID: "check-run", videoID: "film-1")
        let text = String(repeating: "v", count: textBytes)
        outputs.add(.runBegin)
        outputs.add(.sessionBegin, session: 1)
        for (ordinal, type) in [EventType.videoLoad, .play, .firstFrame, .complete].enumerated() {
            let attributes = [("video_id", PlainValue.string("film-1")), ("own.text", .string(text))]
            let player = FakePlayer { $0.playheadMilliseconds = 1_000 }
            outputs.add(
                EventBlock(
                    type,
                    at: Int64(ordinal) * 1_000_000,
                    ordinal: UInt64(ordinal) + 1,
                    player: player,
                    attributes: attributes
                )
            )
        }
        outputs.add(
            FakeHost.Record(
                kind: "summary",
                time: 3_000_000,
                attributes: [("text", .string(text)), ("count", .int(3)), ("share", .double(0.5)), ("none", .null)]
            ),
            ordinal: 1
        )
        outputs.add(
            FakeHost.Beacon(destination: "org.example.check", url: "http://127.0.0.1:9/check", body: Array(text.utf8)),
            ordinal: 2
        )
        outputs.add(.sessionEnd, at: 4_000_000, session: 1)
        outputs.add(.runEnd, at: 5_000_000)
        return outputs
    }
}
