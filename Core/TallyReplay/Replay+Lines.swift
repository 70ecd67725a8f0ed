internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginABI
internal import Setup

// What becomes of a line: it is taken, held back until earlier ones have come, or told as damaged.
extension Replay {
    func replay(_ line: ArchiveLine, _ reader: ArchiveReader) {
        if case .header(let header) = line {
            begin(header, reader)
            return
        }
        guard let run = run(of: reader) else { return }
        let ordinal = reader.decoder.ordinal
        let place = (path: reader.path, line: reader.lineNumber)
        if options.leavesOutRepeated, ordinal < run.expected || !run.held.isEmpty, run.has(ordinal) {
            summary.repeated += 1
            return
        }
        guard ordinal >= run.expected else {
            problem(.outOfOrder(run: reader.decoder.run.string, ordinal: ordinal), place)
            return
        }
        if options.reorderWindow > 0, !options.strict, ordinal != run.expected || !run.held.isEmpty {
            hold(line, run, ordinal, place, id: reader.decoder.run.string)
        } else {
            replay(line, run, ordinal, place, id: reader.decoder.run.string)
        }
    }

    /// Keeps a line that came too early, and goes on with all that follow the last one without a gap.
    private func hold(
        _ line: ArchiveLine,
        _ run: ReplayedRun,
        _ ordinal: UInt64,
        _ place: (path: String, line: Int),
        id: String
    ) {
        let isLate = run.held.last.map { ordinal < $0.ordinal } ?? false
        guard let copy = HeldLine(line, ordinal: ordinal, path: place.path, lineNumber: place.line), run.hold(copy)
        else {
            problem(.outOfOrder(run: id, ordinal: ordinal), place)
            return
        }
        if isLate { summary.reordered += 1 }
        release(run, id: id, downTo: options.reorderWindow)
    }

    /// Replays the lines that were held until `count` are left, and those behind them that follow without a gap.
    func release(_ run: ReplayedRun, id: String, downTo count: Int) {
        while let first = run.held.first, failure == nil, first.ordinal == run.expected || run.held.count > count {
            run.held.removeFirst()
            let place = (path: first.path, line: first.lineNumber)
            // What is numbered behind the end belongs to no run any more.
            guard runs[id] === run else {
                problem(.outOfOrder(run: id, ordinal: first.ordinal), place)
                continue
            }
            first.withLine { replay($0, run, first.ordinal, place, id: id) }
        }
    }

    /// Replays a line, and tells when lines before it are missing.
    private func replay(
        _ line: ArchiveLine,
        _ run: ReplayedRun,
        _ ordinal: UInt64,
        _ place: (path: String, line: Int),
        id: @autoclosure () -> String
    ) {
        if let control, !control.isOpen, silence == nil, let time = line.time {
            var isEvent = false
            if case .event = line { isEvent = true }
            guard control.admit(time, base: &run.base, isEvent: isEvent) else { return }
        }
        if ordinal > run.expected {
            problem(.gap(run: id(), missing: ordinal - run.expected), place)
            run.skip(to: ordinal)
        }
        run.expected = ordinal + 1
        if let time = line.time, time - run.coordinator.time > Limits.longestSilenceMicroseconds {
            problem(.tooLate, place)
            return
        }
        // No run's time goes back: a tracker would count less than nothing.
        let earliest = run.coordinator.earliestEventTime
        if let time = line.time, time < earliest {
            problem(.timeGoesBack(time: time, earliest: earliest), place)
        }
        switch line {
        case .header: break
        case .event(let event):
            let block = unsafe UnsafeMutablePointer(mutating: event.raw)
            unsafe block.pointee.time_us = max(event.time, earliest)
            guard run.cut == nil else { return replayCut(event, run, id: id()) }
            count(event)
            run.lines?.expect(.event, ordinal)
            unsafe run.coordinator.replay(block)
        case .mark(let time):
            run.coordinator.advance(before: time)
            run.lines?.expect(.mark, ordinal)
            run.coordinator.mark(at: time)
        case .end(let time, let reason, let dropped):
            let time = max(time, earliest)
            run.lines?.expect(.end, ordinal)
            run.coordinator.end(at: time, reason: RunEndReason(rawValue: reason) ?? .drained, dropped: dropped)
            close(run, id: id())
        }
    }

    private func run(of reader: ArchiveReader) -> ReplayedRun? {
        isLeftOut = false
        let id = reader.decoder.run
        let name = id.string
        hear(upTo: reader.lineNumber - 1)
        guard let run = runs[name] ?? reopenedRun(name, reader) else {
            if isRepeated(reader) { return nil }
            if !refusedRuns.contains(name), waiting.append(reader) { return nil }
            hasOtherLines = true
            // The run before was heard of, and is not with this line.
            if closing.isLive { current = nil }
            let isClosed = closing.left.contains(name)
            if isClosed { summary.leftOutLines += 1 }
            if refusedRuns.insert(name).inserted {
                let isOver = unsafe passedRuns[PassedRun.key(id.bytes)] != nil
                let late = ArchiveLineProblem.outOfOrder(run: name, ordinal: reader.decoder.ordinal)
                problem(isClosed ? .closedRun(run: name) : isOver ? late : .noHeader(run: name), reader)
            }
            isLeftOut = unsafe !isClosed && !closing.isLive && passedRuns[PassedRun.key(id.bytes)] == nil
            return nil
        }
        current = unsafe Unmanaged.passUnretained(run)
        return run
    }

    // MARK: - Problems

    func problem(_ problem: ArchiveLineProblem, _ reader: ArchiveReader) {
        self.problem(problem, (path: reader.path, line: reader.lineNumber))
    }

    private func problem(_ problem: ArchiveLineProblem, _ place: (path: String, line: Int)) {
        damaged(ArchiveReader.Damage(path: place.path, line: place.line, problem: problem))
    }

    func damaged(_ damage: ArchiveReader.Damage) {
        // What the reader passed over behind the line that ends the replay, and what was told before.
        guard failure == nil, silence == nil else { return }
        // The line at which a replay was ended is whole in the archive, or will be.
        if damage.problem == .cutOff, control?.isStopped == true { return }
        if let restoration {
            guard damage.line > restoration.line else {
                // An earlier process was done with it.
                hasOtherLines = true
                return
            }
            endRestoration()
        }
        let place = options.locates?(damage.path, damage.line) ?? (path: damage.path, line: damage.line)
        let text = ArchiveReader.Damage(path: place.path, line: place.line, problem: damage.problem).description
        if damage.problem.isNewer {
            // Nothing is wrong with it.
            failure = TelemetryError(kind: .newerArchive, text)
            lastLine = damage.line
            return
        }
        if waiting.outputs == nil {
            if let lines, summary.places.count < ReplaySummary.placesKept { placePositions.append(lines.position) }
            summary.add(place: text)
        } else {
            summary.damaged += 1
            waiting.record(text)
        }
        if options.strict || summary.damaged > options.damagedLimit ?? .max {
            failure = TelemetryError(kind: .archiveInput, text)
            lastLine = damage.line
        }
    }
}

// The short way of the lines that most of an archive is made of.
extension Replay {
    /// Replays playhead samples of the last line's run, or leaves them out, as long as nothing else comes.
    ///
    /// - Returns: a sample that was read and has to go the way of every line, for something about it is unusual.
    func replaySamples(_ reader: ArchiveReader, _ decoder: ArchiveLineDecoder) -> ArchiveLine? {
        guard restoration == nil, failure == nil else { return nil }
        let control = control
        if isLeftOut {
            while control?.isOpen ?? true, unsafe reader.nextSample() != nil {}
            return nil
        }
        guard let current else { return nil }
        var left: ArchiveLine?
        var taken: UInt64 = 0
        unsafe current._withUnsafeGuaranteedRef { run in
            guard run.held.isEmpty, run.cut == nil, run.lines == nil, run.has(decoder.run) else { return }
            let coordinator = run.coordinator
            var time = coordinator.time
            var earliest = coordinator.earliestEventTime
            var expected = run.expected
            defer { run.expected = expected }
            while control?.isOpen ?? true, let sample = unsafe reader.nextSample() {
                let next = unsafe sample.pointee.time_us
                // Exact enough: the run is never behind its last event.
                guard decoder.ordinal == expected, next >= earliest,
                    next - time <= Limits.longestSilenceMicroseconds
                else {
                    left = unsafe .event(EventView(sample))
                    return
                }
                time = next
                earliest = next
                expected &+= 1
                taken &+= 1
                unsafe coordinator.replay(sample)
            }
        }
        summary.events += taken
        return left
    }
}
