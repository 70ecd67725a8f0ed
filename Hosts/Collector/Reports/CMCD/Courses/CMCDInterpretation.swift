package import EventModel

/// Follows the reports in CMCD's event mode of one session id, and makes the track calls that they mean.
///
/// Each report waits the whole time that `holdBack` says. That all with smaller numbers are there is no reason to play
/// one at once: a response is dated at its request's beginning, seconds before reports of smaller numbers, and only who
/// waits for it makes the calls that a run makes which is put into order at its end.
package struct CMCDInterpretation: ReportInterpretation {
    /// How much of the reports could not be used.
    package struct Losses: Equatable, Sendable {
        /// Keys that were left out.
        package var keys = 0
        /// Events that lack what they are about.
        package var incomplete = 0
    }

    /// How late a report may be and still be played, behind what was played before, us.
    package static var latest: Int64 { 60_000_000 }

    /// What is lost of reports that were used.
    package private(set) var losses = Losses()
    package private(set) var isOver = false
    package var knownUntil: Int64 { course.knownUntil }

    private let options: CMCDOptions
    private var clock = DeviceClock()
    private var queue = ReportQueue()
    private var course: CMCDCourse
    private var known = KnownReports()
    private var silence: ReportSilence
    private var firstReceived: Int64?
    private var arrivals = 0

    package init(_ options: CMCDOptions = CMCDOptions()) {
        self.options = options
        course = CMCDCourse(options)
        silence = ReportSilence(options.patience)
    }

    package mutating func receive(
        _ report: String,
        at received: Int64,
        into calls: inout [TrackedCall]
    ) -> String? {
        advance(to: received, into: &calls)
        guard !isOver else { return "late" }
        let record: CMCDRecord
        do throws(CMCDRecord.Refusal) {
            record = try CMCDRecord(report, as: .event)
        } catch {
            return error.rawValue
        }
        guard known.insert(record, text: report) else { return "duplicate" }
        let held = date(record, received: received)
        guard held.time >= course.knownUntil - Self.latest else { return "late" }
        losses.keys += record.dropped.count
        losses.incomplete += record.isIncomplete ? 1 : 0
        firstReceived = firstReceived ?? received
        silence.hear(record, time: held.time, received: received)
        queue.insert(held)
        // Whoever waits for nothing plays it now.
        if options.patience.holdBack == 0 { advance(to: received, into: &calls) }
        return nil
    }

    package mutating func advance(to now: Int64, into calls: inout [TrackedCall]) {
        guard !isOver, let firstReceived else { return }
        if now >= firstReceived + clockWindow { queue.shift(by: clock.fix()) }
        play(queue.countDue(at: now, after: options.patience.holdBack))
        if let end = silence.end, now >= end {
            queue.shift(by: clock.fix())
            play(queue.reports.count)
            course.end(because: silence.reason)
            isOver = true
        }
        calls += course.calls
        course.calls.removeAll(keepingCapacity: true)
    }

    package var nextDue: Int64? {
        guard !isOver else { return nil }
        let due = options.patience.holdBack.flatMap { queue.due(after: $0) }
        return [due, silence.end].compactMap(\.self).min()
    }

    /// How long the device's clock is looked at before it is corrected, us.
    private var clockWindow: Int64 {
        min(DeviceClock.tolerance, options.patience.holdBack ?? DeviceClock.tolerance)
    }

    private mutating func play(_ count: Int) {
        guard count > 0 else { return }
        var course = course
        queue.play(count) { report, queue in course.play(report, &queue) }
        self.course = course
    }

    /// When a report happened, by the collector's clock.
    private mutating func date(_ record: CMCDRecord, received: Int64) -> HeldReport {
        arrivals += 1
        guard let milliseconds = record.time, DeviceClock.isPlausible(milliseconds, received: received) else {
            return held(record, received: received, time: received, isDatedByComing: true)
        }
        var time = milliseconds * 1000
        let isResponse = record.event == .response
        // An answer is there when its last byte is.
        if isResponse, let taken = record.integer(.ttlb), taken < DeviceClock.furthestAhead / 1000,
            DeviceClock.isPlausible(milliseconds + taken, received: received)
        {
            time += taken * 1000
        }
        guard options.correctsClock else { return held(record, received: received, time: time) }
        let number = record.integer(.sn)
        let step = clock.observe(time, number: number, isResponse: isResponse, received: received)
        return held(record, received: received, time: time + clock.correction, step: step)
    }

    private func held(
        _ record: CMCDRecord,
        received: Int64,
        time: Int64,
        isDatedByComing: Bool = false,
        step: Int64? = nil
    ) -> HeldReport {
        HeldReport(
            record: record,
            received: received,
            arrival: arrivals,
            time: time,
            isDatedByComing: isDatedByComing,
            clockStep: step,
            isShifted: isDatedByComing || clock.correction != 0
        )
    }
}

/// What came already of a run: a report comes twice when a batch is sent again.
private struct KnownReports {
    private struct Numbered: Hashable {
        let number: Int64
        let time: Int64
        let event: CMCDEvent?
        let content: Int
    }

    private var numbered: Set<Numbered> = []
    private var texts: Set<String> = []
    private var contents: [String: Int] = [:]

    /// - Returns: whether it is new.
    mutating func insert(_ record: CMCDRecord, text: String) -> Bool {
        guard let number = record.integer(.sn), let time = record.time else { return texts.insert(text).inserted }
        // Two reporters of a session count by themselves: the content tells them apart.
        var content = 0
        if let id = record.string(.cid) {
            content = contents[id] ?? contents.count + 1
            contents[id] = content
        }
        return numbered.insert(Numbered(number: number, time: time, event: record.event, content: content)).inserted
    }
}

/// When a run ends because nothing comes any more.
private struct ReportSilence {
    private var silence: Silence
    private var state: CMCDState?
    private var stateTime = Int64.min
    private var isInBackground = false
    private var backgroundTime = Int64.min
    private var adIDs: Set<String> = []

    init(_ patience: ReportPatience) { silence = Silence(patience) }

    /// When the run ends if nothing else comes, us since 1970.
    var end: Int64? { silence.end }

    /// Why it ends then.
    var reason: String { silence.reason }

    /// Looks at what a report says of how long its player may be silent.
    mutating func hear(_ record: CMCDRecord, time: Int64, received: Int64) {
        silence.hear(at: received)
        defer { silence.course = course }
        if record.event == .background || record.truth(.bg) == true, time >= backgroundTime {
            isInBackground = record.truth(.bg) == true
            backgroundTime = time
        }
        let content = record.string(.cid)
        if record.event == .adStart || record.event == .adSkipped, let content { adIDs.insert(content) }
        // An ad that has ended is no end of the content, and a response may be late.
        if let content, adIDs.contains(content) { return }
        if record.event != .response, let said = record.state, time >= stateTime {
            state = said
            stateTime = time
        }
    }

    private var course: Silence.Course {
        switch state {
        case .ended, .failed, .quit: .over
        case .paused: .paused
        default: isInBackground ? .paused : .playing
        }
    }
}
