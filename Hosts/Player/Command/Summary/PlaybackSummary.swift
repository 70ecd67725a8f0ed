internal import HostSupport
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// What a run came to, for people and for the exit code.
struct PlaybackSummary {
    let source: String
    let name: String
    let durationMs: Int64?
    let figures: PlaybackFigures
    /// Track calls that were queued and never handled.
    let droppedEvents: UInt64
    let trackers: [(name: String, statistics: TrackerStatistics)]
    let reporters: [ReporterOutcome]
    let archive: String?
    let archiveFailed: Bool
    /// Lines of the script that were not reached, as `file:line`.
    let unreachedLines: [String]
    /// The configured plugins that it went without.
    var absent: [PluginStatus] = []
    /// Whether every certificate was believed.
    var isInsecure = false
    /// Whether JUnit's file or the persistent values could not be written.
    var hasLostOutput = false
    /// The expectations, each with what is wrong; nil when it is met.
    var outcomes: [(text: String, failure: String?)] = []

    var unmet: [String] { outcomes.compactMap(\.failure) }
    var lostEvents: UInt64 { UInt64(figures.refusedEvents) + droppedEvents }

    /// How playback ended, in a few words.
    var endText: String {
        figures.isComplete ? "to the end" : figures.failure.map { "failed: \($0.code.rawValue)" } ?? "ended early"
    }

    var error: EngineError? { figures.failure ?? figures.damage }
    var trackerErrors: UInt64 { trackers.reduce(0) { $0 + $1.statistics.errors } }

    /// How the program ends: the first that applies of what stopped the playback, lost outputs, failed trackers.
    var exitCode: ExitCode {
        if let error { return error.code.exitCode }
        if archiveFailed || hasLostOutput || !reporters.allSatisfy(\.isComplete) { return .outputFailed }
        if trackerErrors > 0 { return .pluginFailed }
        return unmet.isEmpty ? .success : .difference
    }

    func show(on log: LogPrinter, to status: SharedProgressLine, quiet: Bool, json wantsJSON: Bool) {
        if !quiet, !wantsJSON { status.write(above: text(on: StandardStream.error.terminal) + "\n") }
        for problem in problems { log.show(.warning, problem) }
        for text in unmet { log.show(.error, text) }
        if let error { log.show(.error, error.description) }
        if wantsJSON { status.write(above: PrintableText.json(value) + "\n") }
    }

    /// What went wrong apart from the playback, one sentence each.
    var problems: [String] {
        var lines = reporters.compactMap(\.problem)
        if let archive, archiveFailed { lines.append("the archive \(archive) is not complete") }
        if trackerErrors > 0 {
            lines.append(
                "trackers returned \(ReadableNumber.counted(trackerErrors, "error")): "
                    + "what they say may not be complete"
            )
        }
        if lostEvents > 0 {
            lines.append(
                "\(ReadableNumber.counted(lostEvents, "event was", "events were")) lost: the machine did not keep up"
            )
        }
        if figures.refusedAttributes > 0 {
            lines.append(
                "attributes that were left out of events, because they break a limit of docs/limits.md: "
                    + ReadableNumber.grouped(figures.refusedAttributes)
            )
        }
        if let first = unreachedLines.first {
            let count = unreachedLines.count
            lines.append(
                count == 1
                    ? "playback ended before this line of the script was due: \(first)"
                    : "playback ended before \(count) lines of the script were due, the first is \(first)"
            )
        }
        return lines
    }

    private func text(on terminal: Terminal) -> String {
        let rows = playbackRows + outputRows
        let lines = TextTable.aligned(rows.map { [$0.0, $0.1] }).map { "  " + $0 }
        return ([terminal.styled("Played \(PrintableText.escaped(name))", .bold)] + lines).joined(separator: "\n")
    }

    private var playbackRows: [(String, String)] {
        let position = ReadableTime.text(milliseconds: figures.playheadMs ?? 0)
        let length = durationMs.map { " of " + ReadableTime.text(milliseconds: $0) } ?? ""
        let stalled = ReadableNumber.shortTime(microseconds: figures.stalledNs / 1000)
        var rows = [
            ("end", "\(endText), at \(position)\(length)"),
            ("startup", startupText),
            ("played", ReadableNumber.shortTime(microseconds: figures.playedNs / 1000)),
            ("stalls", figures.stalls == 0 ? "none" : "\(figures.stalls), \(stalled) in all"),
            ("pauses, seeks", "\(figures.pauses), \(figures.seeks)"),
        ]
        if figures.retries > 0 { rows.append(("retries", String(figures.retries))) }
        if isInsecure { rows.append(("certificates", "not checked")) }
        if figures.items > 1 { rows.append(("sources", String(figures.items))) }
        if figures.ads + figures.adErrors > 0 {
            rows.append(("ads", "\(figures.ads), \(ReadableNumber.counted(figures.adErrors, "error"))"))
        }
        if !figures.renditions.isEmpty {
            rows.append(("renditions", figures.renditions.map(\.shortText).joined(separator: ", ")))
        }
        let shown = ReadableNumber.grouped(Int(figures.renderedFrames))
        rows.append(("frames", "\(shown) shown, \(ReadableNumber.grouped(Int(figures.droppedFrames))) dropped"))
        return rows
    }

    private var startupText: String {
        let picture = figures.firstPictureMs.map { "a picture after \($0) ms" } ?? "no frame was shown"
        return figures.startupMs.map { "\($0) ms until it moved, " + picture } ?? picture
    }

    private var outputRows: [(String, String)] {
        var rows = [("events", ReadableNumber.grouped(figures.events))]
        for (name, statistics) in trackers {
            let beacons = statistics.beacons == 0 ? "" : ", " + ReadableNumber.counted(statistics.beacons, "beacon")
            rows.append((name, ReadableNumber.counted(statistics.records, "record") + beacons))
        }
        for reporter in reporters {
            rows.append((reporter.name, reporter.summary))
        }
        for plugin in absent { rows.append((plugin.name, plugin.absenceText)) }
        if let archive { rows.append(("archive", archive)) }
        return rows
    }
}

extension PlaybackSummary {
    var value: JSONValue {
        [
            "source": .string(source),
            "name": .string(name),
            "complete": .bool(figures.isComplete),
            "error": error.map { ["code": .string($0.code.rawValue), "message": .string($0.description)] } ?? .null,
            "duration_ms": optional(durationMs),
            "playhead_ms": optional(figures.playheadMs),
            "first_picture_ms": optional(figures.firstPictureMs),
            "startup_ms": optional(figures.startupMs),
            "played_ms": .int(figures.playedNs / 1_000_000),
            "stalls": number(figures.stalls),
            "stalled_ms": .int(figures.stalledNs / 1_000_000),
            "pauses": number(figures.pauses),
            "seeks": number(figures.seeks),
            "renditions": .array(figures.renditions.map(json)),
            "rendered_frames": .int(figures.renderedFrames),
            "dropped_frames": .int(figures.droppedFrames),
            "events": number(figures.events),
            "lost_events": number(lostEvents),
            "lost_attributes": number(figures.refusedAttributes),
            "track_cpu_us": .int(figures.trackNs / 1000),
            "trackers": .array(trackers.map { json($0.name, $0.statistics) }),
            "reporters": .array(reporters.map(\.json)),
            "absent_plugins": .array(absent.map(\.absenceJSON)),
            "archive": archive.map { .string($0) } ?? .null,
            "archive_complete": .bool(archive != nil && !archiveFailed),
            "unreached_lines": .array(unreachedLines.map { .string($0) }),
            "insecure": .bool(isInsecure),
            "items": number(figures.items),
            "retries": number(figures.retries),
            "ads": number(figures.ads),
            "ad_errors": number(figures.adErrors),
            "unmet": .array(unmet.map { .string($0) }),
            "exit_code": .int(Int64(exitCode.rawValue)),
        ]
    }

    private func json(_ rendition: StreamRendition) -> JSONValue {
        [
            "width": optional(rendition.width.map(Int64.init)),
            "height": optional(rendition.height.map(Int64.init)),
            "bitrate": optional(rendition.bitrate),
        ]
    }

    private func json(_ name: String, _ statistics: TrackerStatistics) -> JSONValue {
        [
            "name": .string(name), "records": number(statistics.records), "beacons": number(statistics.beacons),
            "errors": number(statistics.errors), "refused": number(statistics.refused),
            "repaired_texts": number(statistics.repairedTexts), "lost": number(statistics.lost),
        ]
    }

    private func optional(_ number: Int64?) -> JSONValue { number.map { .int($0) } ?? .null }
    private func number(_ count: some BinaryInteger) -> JSONValue { .int(Int64(clamping: count)) }
}
