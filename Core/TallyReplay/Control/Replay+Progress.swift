internal import Archive
internal import Coordinator
internal import PluginLoading
internal import Setup

// What a replay has come to, asked on its thread between two lines.
extension Replay {
    /// The runs that are open, in the order in which they began.
    var runsInOrder: [(name: String, run: ReplayedRun)] {
        runs.map { (name: $0.key, run: $0.value) }.sorted { $0.run.number < $1.run.number }
    }

    /// What was read and made so far, with the runs that are open.
    package var progress: ReplaySummary {
        var progress = summary
        if let reader {
            progress.lines += reader.lineNumber
            progress.bytes += reader.bytesRead
        }
        for (_, run) in runs {
            progress.runTime += run.coordinator.time
            for (_, _, statistics) in run.coordinator.statistics { progress.add(statistics) }
        }
        for (_, run) in closing.kept {
            progress.runTime += run.time
            for (_, _, statistics) in run.statistics { progress.add(statistics) }
        }
        return progress
    }

    /// Whether a run was read, and all that were have come to their ends.
    package var isBetweenRuns: Bool { runs.isEmpty && closing.kept.isEmpty && summary.headers > 0 }

    /// What is wrong with the names that substitutes stand for, one sentence each: no archive so far has them.
    package var unknownSubstitutes: [String] { recorded.unknownSubstitutes }

    /// Lets commands change the plugins while it goes on; to be called before it begins, with its control.
    ///
    /// `keepingLines` is for commands that may replace a tracker: to keep what each run is told costs as much as all
    /// else.
    package func acceptChanges(_ control: ReplayControl, keepingLines: Bool = true) -> ReplayPlugins {
        keepsLines = options.asRecorded || keepingLines && !telemetry.options.fixed
        waiting.isCommanded = keepingLines
        return ReplayPlugins(self, telemetry, control, isRecordedSet: options.asRecorded)
    }

    /// Where the next line is read: the archive and the number of the last line.
    package var place: (path: String, line: Int)? { reader.map { ($0.path, $0.lineNumber) } }

    /// The runs that are open and how far they have come, us.
    package var openRuns: [(id: String, time: Int64)] { runsInOrder.map { ($0.name, $0.run.coordinator.time) } }

    /// The trackers: of the run that began last, else as the next run has them; with what they did in all runs.
    var trackerStatuses: [PluginStatus] {
        let open = runsInOrder
        var statuses: [PluginStatus]
        if let last = open.last {
            statuses = last.run.coordinator.reports.map { PluginStatus($0) }
        } else if options.asRecorded {
            statuses = []
        } else {
            statuses = telemetry.setups.map { setup in
                PluginStatus(name: setup.name, setup.entry.description, state: setup.enabled ? .enabled : .disabled)
            }
        }
        for place in statuses.indices {
            var sum = finished[statuses[place].name] ?? TrackerStatistics()
            for made in open.map(\.run.coordinator.statistics) + closing.kept.values.map(\.statistics) {
                for (name, _, statistics) in made where name == statuses[place].name { sum.add(statistics) }
            }
            statuses[place].tracker = sum
        }
        return statuses
    }
}

extension TrackerStatistics {
    mutating func add(_ other: TrackerStatistics) {
        events += other.events
        timers += other.timers
        records += other.records
        beacons += other.beacons
        withheld += other.withheld
        errors += other.errors
        refused += other.refused
        repairedTexts += other.repairedTexts
    }
}
