internal import HostSupport
internal import PlaybackEngine
internal import Streaming
internal import Tally

extension PlaybackSummary {
    var json: String { value.canonicalText + "\n" }

    var value: JSONValue {
        [
            "source": .string(source),
            "name": .string(name),
            "complete": .bool(figures.isComplete),
            "error": error.map { ["code": .string($0.code.rawValue), "message": .string($0.description)] } ?? .null,
            "duration_ms": optional(durationMs),
            "playhead_ms": optional(figures.playheadMs),
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
            "reporters": .array(reporters.map(json)),
            "archive": archive.map { .string($0) } ?? .null,
            "archive_complete": .bool(archive != nil && !archiveFailed),
            "unreached_lines": .array(unreachedLines.map { .string($0) }),
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
            "errors": number(statistics.errors),
        ]
    }

    private func json(_ reporter: ReporterOutcome) -> JSONValue {
        [
            "name": .string(reporter.name), "taken": number(reporter.taken), "lost": number(reporter.lost),
            "last_error": .string(reporter.lastError), "ended": .bool(reporter.hasEnded),
        ]
    }

    private func optional(_ number: Int64?) -> JSONValue { number.map { .int($0) } ?? .null }
    private func number(_ count: some BinaryInteger) -> JSONValue { .int(Int64(clamping: count)) }
}
