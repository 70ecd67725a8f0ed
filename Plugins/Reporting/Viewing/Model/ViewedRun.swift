internal import Metrics

/// A player run that goes on.
final class ViewedRun {
    let run: String
    let measurement: RunMeasurement
    /// The session that goes on, or went on last.
    var number: UInt32 = 0
    /// The session that goes on and whose begin was not seen; nil when there is none.
    var unknown: UInt32?
    @safe @exclusivity(unchecked) var recording: SessionRecording?
    /// What the player has said that is personal.
    @safe @exclusivity(unchecked) var personal = PersonalTexts()
    /// What of the session that goes on is in the minutes of its asset.
    var counted = RunningVideos.Counted()
    /// When something came of it last by the wall clock, us since 1970.
    var heard: Int64 = 0

    init(_ run: String, epoch: Int64, grouping: [String]) {
        self.run = run
        measurement = RunMeasurement(run: ExactText(run), epoch: epoch, grouping: grouping)
    }

    /// Counts what is new of a session of it.
    func count(_ metrics: SessionMetrics, in running: inout RunningVideos) { running.count(metrics, &counted) }
}
