internal import CPluginTool
internal import EventModel
internal import PluginABI

/// What a tracker is told by players of all kinds, and by hosts that are newer than it.
enum EventChecks {
    private static let all = (1...39).map { EventType(rawValue: $0) } + (256...268).map { EventType(rawValue: $0) }
    private static let remedy = "Take no order for granted: every member and every pointer may be at its beginning."

    static let group = CheckGroup(
        "Events",
        .tracker,
        [
            Check(
                "events-all",
                needs: ["session"],
                "Every event of the vocabulary is accepted.",
                remedy: "Ignore types that you have no use for, and those that you do not know."
            ) { subject throws(Finding) in
                try course(subject, all.map { .event($0, []) })
            },
            Check(
                "events-outside",
                needs: ["session"],
                "Events before the first session and behind the last are survived.",
                remedy: "Use nothing that `session_begin` makes before it was called, nor behind `session_end`."
            ) { subject throws(Finding) in
                try CheckHost.working(subject) { host throws(Finding) in
                    let wanted = try WantedTypes(subject)
                    let events = Course(all.map { Course.Step.event($0, []) } + [.wait(1_000)])
                    host.play(events, wanted)
                    host.play(.usual, wanted)
                    host.play(events, wanted)
                }
            },
            Check(
                "sessions-odd",
                needs: ["session"],
                "An end without a beginning, two beginnings, and a session of no length are survived.",
                remedy: remedy
            ) { subject throws(Finding) in
                try CheckHost.working(subject) { host throws(Finding) in
                    let steps: [Course.Step] = [
                        .end(TALLY_END_UNLOAD), .begin([]), .begin([]), .end(TALLY_END_SHUTDOWN),
                        .end(TALLY_END_DISABLE),
                        .begin([]), .end(TALLY_END_REPLACE),
                    ]
                    host.play(Course(steps), try WantedTypes(subject))
                }
            },
            Check(
                "order-odd",
                needs: ["session"],
                "Events in any order are survived.",
                remedy: remedy
            ) { subject throws(Finding) in
                let steps = Array(Course.usual.steps.dropFirst().dropLast())
                try course(
                    subject,
                    steps.reversed() + steps + steps.filter { if case .wait = $0 { false } else { true } }
                )
            },
            Check(
                "numbers",
                needs: ["session"],
                "Numbers that make no sense are survived: infinite, none, negative, as large as can be.",
                remedy: "Test a number before you convert it, divide by it, or loop up to it."
            ) { subject throws(Finding) in
                let values: [PlainValue] = [
                    .double(.infinity), .double(.nan), .double(-.infinity), .int(.max), .int(.min), .double(1e300),
                    .null,
                ]
                let names = ["ad_duration_ms", "seek_to_ms", "rendition_bitrate_bps", "error_code", "own.number"]
                let steps = all.prefix(39).flatMap { type in
                    values.map { value in Course.Step.event(type, names.map { ($0, value) }) }
                }
                try course(subject, [.player(playhead: .min, flags: .max)] + steps)
                try course(subject, [.player(playhead: .max, flags: 0)] + Array(steps.prefix(40)))
                let usual = Course.usual.steps.dropFirst().dropLast()
                for length in [0, -1, .min, .max] as [Int64] { try course(subject, [.length(length)] + usual) }
            },
            Check(
                "types-odd",
                needs: ["session"],
                "Attributes of another type than usual are survived.",
                remedy:
                    "Look at an attribute's `type` before its value: a text has an offset where a number has itself."
            ) { subject throws(Finding) in
                let values: [PlainValue] = [
                    .bool(true), .int(7), .string(""), .list([.string("a"), .int(1)]), .bytes([0]),
                ]
                let names = [
                    "video_id", "video_name", "ad_id", "ad_duration_ms", "seek_to_ms", "rendition_bitrate_bps",
                    "rendition_phase", "error_code", "error_message", "buffer_cause", "custom_name", "own.value",
                ]
                let steps = all.prefix(39).flatMap { type in
                    values.map { value in Course.Step.event(type, names.map { ($0, value) }) }
                }
                try course(subject, steps)
            },
            Check(
                "largest",
                needs: ["session"],
                "Events as large as events can be are survived: 200 attributes, 16 KiB.",
                remedy: "Keep texts in memory that grows, or cut them at a whole character; count nothing in a byte."
            ) { subject throws(Finding) in
                let many = (0..<190).map { ("own.name-\($0)", PlainValue.string(String(repeating: "ü", count: 8))) }
                let long: [(String, PlainValue)] = [
                    ("video_name", .string(String(repeating: "é", count: 3_500))),
                    ("error_message", .string(String(repeating: "x", count: 3_500))),
                    ("video_id", .string(String(repeating: "i", count: 3_500))),
                ]
                let types: [EventType] = [.videoLoad, .adStart, .custom, .playerError, .metadataChange]
                try course(subject, types.flatMap { [.event($0, many), .event($0, long)] })
            },
            Check(
                "newer-events",
                needs: ["session"],
                "Types that it does not know are ignored.",
                remedy: "Return `TALLY_OK` from `on_event` for a type that is not yours; never use it as an index."
            ) { subject throws(Finding) in
                try sending(subject) { event, send throws(Finding) in
                    for type in [200, 0xFFFF, 0x10000, UInt32.max] as [UInt32] {
                        var unknown = event
                        unknown.set(\.type, type)
                        let status = send(unknown)
                        guard status >= TALLY_OK else { throw .failed("the type \(type) returned \(status)") }
                    }
                }
            },
            Check(
                "newer-attributes",
                needs: ["session"],
                "Attributes of types that it does not know, with numbers that it does not know, are skipped.",
                remedy: "Have a default in each `switch` over `type`; compare `key_id`, and never use it as an index."
            ) { subject throws(Finding) in
                try sending(subject) { event, send throws(Finding) in
                    var unknown = event
                    for index in 0..<Int(event.header.attr_count) {
                        unknown.set(attribute: index, \.type, 77)
                        unknown.set(attribute: index, \.key_id, 60_000)
                        unknown.set(attribute: index, \.flags, 0xF0)
                        unknown.setOffset(ofAttribute: index, UInt64.max)
                        unknown.set(attribute: index, \.len, UInt32.max)
                    }
                    _ = send(unknown)
                }
            },
            Check(
                "bounds",
                needs: ["session"],
                "Nothing is read behind an event's end.",
                remedy: "Compare offsets and lengths with `size`; texts have no NUL at their end."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                host.lendsBeforeGap = true
                try host.start(subject)
                host.play(.usual, try WantedTypes(subject))
                host.finish()
            },
            Check(
                "timers-unknown",
                needs: ["session"],
                "A timer that it did not start, or has cancelled, is survived.",
                remedy: "Compare the number with those of the timers that run, and return for any other."
            ) { subject throws(Finding) in
                try CheckHost.working(subject) { host throws(Finding) in
                    host.fire(999, at: 0)
                    host.play(Course(Array(Course.usual.steps.prefix(9))), try WantedTypes(subject))
                    for timer in [0, 1_000_000, UInt64.max] as [UInt64] { host.fire(timer, at: host.time) }
                }
            },
            Check(
                "timers-end",
                needs: ["session"],
                "Timers are not started without end.",
                remedy: "Start the next one at the old deadline plus the period, and one period is never 0."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                try host.start(subject)
                host.play(.usual, try WantedTypes(subject))
                host.finish()
                for case .timerStorm(let count) in host.allBreaches {
                    throw .failed("it started \(count) within a session of a minute")
                }
            },
        ]
    )

    /// Plays a session around steps, with nothing to find but that it comes back.
    private static func course(
        _ subject: Subject,
        _ steps: [Course.Step],
        beginning known: [(String, PlainValue)] = []
    ) throws(Finding) {
        try CheckHost.working(subject) { host throws(Finding) in
            host.play(Course([.begin(known)] + steps + [.end(TALLY_END_UNLOAD)]), try WantedTypes(subject))
        }
    }

    /// Hands an event, and what sends its like, to a body within a session.
    private static func sending(
        _ subject: Subject,
        _ body: (EventBytes, (EventBytes) -> tally_status) throws(Finding) -> Void
    ) throws(Finding) {
        try CheckHost.working(subject) { host throws(Finding) in
            let wanted = try WantedTypes(subject)
            host.play(Course(Array(Course.usual.steps.prefix(9))), wanted)
            let attributes: [(String, PlainValue)] = [("video_id", .string("film-2")), ("own.value", .int(1))]
            for type in all.prefix(39) where wanted.contains(type) {
                try body(
                    EventBytes(type, at: host.time, ordinal: 99, session: 1, player: host.player, attributes),
                    { host.send($0) }
                )
            }
            host.play(Course(Array(Course.usual.steps.suffix(6))), wanted)
        }
    }
}
