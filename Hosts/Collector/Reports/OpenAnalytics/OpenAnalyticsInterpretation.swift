package import EventModel

/// Follows the events of one session in the form of Open Analytics, and makes the track calls that they mean.
///
/// A player sends each event by a request of its own, so their order on arrival is by chance: each waits the whole time
/// that `holdBack` says, and they are played by their times. An error waits longer, for what shows whether playback
/// went on.
package struct OpenAnalyticsInterpretation: ReportInterpretation {
    /// How late an event may be and still be played, behind what was played before, us.
    package static var latest: Int64 { 60_000_000 }

    package private(set) var isOver = false
    package var knownUntil: Int64 { course.knownUntil }

    private let options: OpenAnalyticsOptions
    private var clock = DeviceClock()
    private var queue = EventQueue()
    private var course: OpenAnalyticsCourse
    private var silence: EventSilence
    private var known: [String: Int64] = [:]
    private var firstReceived: Int64?
    private var arrivals = 0
    /// Up to when it was advanced, us since 1970.
    private var advanced = Int64.min
    /// Until when the error that is played next is waited with, if nothing else decides; nil when none is.
    private var errorDue: Int64?

    /// From how many texts on those that are too old to come again are forgotten.
    private static let textsKept = 512

    package init(_ options: OpenAnalyticsOptions = OpenAnalyticsOptions()) {
        self.options = options
        course = OpenAnalyticsCourse(options)
        silence = EventSilence(options.patience)
    }

    package mutating func receive(
        _ report: String,
        at received: Int64,
        into calls: inout [TrackedCall]
    ) -> String? {
        advance(to: received, into: &calls)
        guard !isOver else { return "late" }
        let event: OpenAnalyticsEvent
        do throws(OpenAnalyticsEvent.Refusal) {
            event = try OpenAnalyticsEvent(report)
        } catch {
            return error.word
        }
        guard known[report] == nil else { return "duplicate" }
        let held = date(event, received: received)
        guard held.time >= course.knownUntil - Self.latest else { return "late" }
        // Without a time of its own two of one text may be two.
        if !held.isDatedByComing { know(report, held.time) }
        firstReceived = firstReceived ?? received
        silence.hear(held)
        queue.insert(held)
        if options.patience.holdBack == 0 { advance(to: received, into: &calls) }
        return nil
    }

    package mutating func advance(to now: Int64, into calls: inout [TrackedCall]) {
        guard !isOver, let firstReceived else { return }
        advanced = max(advanced, now)
        if now >= firstReceived + clockWindow { queue.shift(by: clock.fix()) }
        play(queue.countDue(at: now, after: options.patience.holdBack), at: now)
        if !isOver, let end = silence.end, now >= end {
            queue.shift(by: clock.fix())
            play(queue.events.count, at: .max)
            course.end(because: silence.reason)
            isOver = true
        }
        calls += course.calls
        course.calls.removeAll(keepingCapacity: true)
    }

    package var nextDue: Int64? {
        guard !isOver else { return nil }
        var due = silence.end
        if let holdBack = options.patience.holdBack {
            // Behind an error that waits there is what has waited long enough itself.
            let times = queue.events.lazy.map { $0.received + holdBack }
            let next = errorDue == nil ? times.min() : times.filter { $0 > advanced }.min()
            due = [due, next, errorDue].compactMap(\.self).min()
        }
        return due
    }

    /// How long the device's clock is looked at before it is corrected, us.
    private var clockWindow: Int64 {
        min(DeviceClock.tolerance, options.patience.holdBack ?? DeviceClock.tolerance)
    }

    /// Plays the first events, as far as no error among them waits.
    private mutating func play(_ count: Int, at now: Int64) {
        errorDue = nil
        var left = count
        while left > 0, !isOver {
            var isFatal = true
            if let first = queue.events.first, first.event.kind == .error {
                switch queue.verdict(among: left) {
                case .fatal: break
                case .harmless: isFatal = false
                case .undecided:
                    let due = first.received + EventQueue.errorPatience + (options.patience.holdBack ?? 0)
                    guard now >= due else {
                        errorDue = due
                        return
                    }
                }
            }
            course.play(queue.removeFirst(), isFatal: isFatal)
            left -= 1
            isOver = course.isStopped
        }
    }

    /// When an event happened, by the collector's clock.
    private mutating func date(_ event: OpenAnalyticsEvent, received: Int64) -> HeldEvent {
        arrivals += 1
        let isPlausible = DeviceClock.isPlausible(event.timestamp, received: received)
        var time = received
        var step: Int64?
        if isPlausible {
            time = event.timestamp * 1000
            if options.correctsClock {
                step = clock.observe(time, number: nil, isResponse: false, received: received)
                time += clock.correction
            }
        }
        return HeldEvent(
            event: event,
            received: received,
            arrival: arrivals,
            time: time,
            isDatedByComing: !isPlausible,
            clockStep: step,
            isShifted: !isPlausible || clock.correction != 0
        )
    }

    private mutating func know(_ report: String, _ time: Int64) {
        if known.count >= Self.textsKept {
            let oldest = course.knownUntil - Self.latest
            known = known.filter { $0.value >= oldest }
        }
        known[report] = time
    }
}

/// What can be chosen of the calls that events of Open Analytics make.
package struct OpenAnalyticsOptions: Equatable, Sendable {
    /// The unit of playheads and durations.
    package enum Unit: String, Sendable, CaseIterable {
        case milliseconds
        case seconds
    }

    /// How long events are waited for.
    package var patience = ReportPatience()
    /// Whether times are corrected when a device's clock is more than 5 s wrong, and when it is set.
    package var correctsClock = true
    /// The unit, when it is known; otherwise each run's own events decide, and say no playhead until they do.
    package var unit: Unit?

    package init() {}
}
