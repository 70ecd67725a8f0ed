internal import HostSupport
internal import PlaybackEngine
internal import Tally
internal import TextEncoding

/// One player with its player run, from its making to what it came to.
final class PlayedRun {
    let snapshot: Lock<PlayerSnapshot>
    let figures: Lock<PlaybackFigures>
    /// Takes commands for the player.
    let inbox: PlayerInbox
    /// Takes all commands.
    let control: ControlPlane
    private let materials: PlayerMaterials
    private let archive: String?
    private let delegate: SnapshotDelegate
    private let run: PlayerRun
    private let player: Player
    private var droppedEvents: UInt64 = 0
    private var hasLostIndex = false

    /// Makes the player; nothing is played yet.
    init(_ materials: PlayerMaterials, archive: String?, notes: ProgressNotes) throws(HostError) {
        self.materials = materials
        self.archive = archive
        let (request, setup) = (materials.request, materials.setup)
        let declaredType = request.streamType(setup.settings)
        let delegate = SnapshotDelegate(
            PlayerSnapshot(source: request.source, declaredType: declaredType),
            log: materials.log
        )
        self.delegate = delegate
        let run: PlayerRun
        do throws(TelemetryError) {
            run = try materials.surroundings.startRun(materials.telemetry, delegate, archive)
        } catch {
            throw setup.located(error)
        }
        self.run = run
        let (snapshot, figures) = (delegate.snapshot, Lock(PlaybackFigures()))
        self.snapshot = snapshot
        self.figures = figures
        let inbox = PlayerInbox()
        self.inbox = inbox
        control = ControlPlane(
            run: run,
            telemetry: materials.telemetry,
            setup: setup,
            tap: materials.tap,
            host: PlayerHost(run: run, inbox: inbox, snapshot: snapshot, figures: figures),
            log: materials.log
        )
        let platform = materials.surroundings.platform
        player = Player(
            Player.Plan(
                source: request.source,
                playlist: request.playlist,
                durationMs: request.duration.map { Int64($0 * 1000) },
                script: ScriptClock(materials.script?.lines ?? []),
                ads: request.ads(setup.settings),
                chapters: materials.chapters,
                retries: request.retries(setup.settings),
                configuration: request.engine(setup.settings),
                makeTracking: { source, last in
                    let tracking = PlaybackTracking(
                        run: run,
                        snapshot: snapshot,
                        figures: figures,
                        notes: notes,
                        platform: platform
                    )
                    guard let last else { return tracking }
                    snapshot.with { $0 = $0.followed(by: source, declaredType: declaredType) }
                    tracking.continueFrom(last)
                    return tracking
                },
                stopRequested: materials.stopRequested,
                inbox: inbox,
                queue: control.queue,
                platform: platform
            )
        )
    }

    func start() { player.start() }
    var isStopped: Bool { player.isStopped }

    /// Waits until all is played, and ends the run: what was tracked is handed to the reporters.
    func finish() {
        player.waitUntilStopped()
        abandon()
        writeIndex()
    }

    /// Makes the archive's index, if that is wanted; one that lies there is of an archive that was replaced.
    private func writeIndex() {
        guard let archive, materials.request.writesIndex(materials.setup.settings), !materials.hasFailedArchive else {
            return
        }
        do throws(HostError) { try ArchiveIndex.write(ofRecorded: archive) } catch {
            _ = materials.log.report(error)
            hasLostIndex = true
        }
    }

    /// Ends the run of a player that was never started, or has stopped.
    func abandon() {
        control.endWatch()
        inbox.close()
        control.endCommands()
        droppedEvents = run.destroy().droppedEvents
        control.endClients()
    }

    /// What trackers and reporters did so far; nil when that cannot be had in time.
    func pluginCounts(limitMs: Int64) -> [PluginCount]? {
        run.currentTrackers(limit: limitMs).map { trackers in
            trackers.map { name, isEnabled, statistics in
                PluginCount(name: name, count: statistics.records + statistics.beacons, isEnabled: isEnabled)
            }
                + materials.telemetry.reporterStatistics.map {
                    PluginCount(name: $0.name, count: $0.statistics.taken, isEnabled: true)
                }
        }
    }

    /// What it came to; complete when it is finished and the reporters are closed.
    func summary(_ reporters: [ReporterOutcome]) -> PlaybackSummary {
        let request = materials.request
        var summary = PlaybackSummary(
            source: request.source,
            name: snapshot.with { $0.name },
            durationMs: snapshot.with { $0.durationMs },
            figures: figures.with { $0 },
            droppedEvents: droppedEvents,
            trackers: run.trackerStatistics.map { name, _, statistics in
                var statistics = statistics
                statistics.lost = materials.telemetry.losses(of: name)
                return (name, statistics)
            },
            reporters: reporters,
            archive: archive,
            archiveFailed: archive != nil && materials.hasFailedArchive,
            unreachedLines: player.unreachedLines.map(\.place)
        )
        summary.absent = materials.telemetry.absentPlugins
        let value = summary.value
        summary.hasLostOutput = materials.telemetry.hasLostStoredValues || hasLostIndex
        summary.isInsecure = request.requests(materials.setup.settings).isInsecure
        summary.outcomes = request.expectations.map { ($0.text, $0.failure(in: value)) }
        return summary
    }
}

/// What the player does itself of the commands.
struct PlayerHost: CommandedHost {
    let run: PlayerRun
    let inbox: PlayerInbox
    let snapshot: Lock<PlayerSnapshot>
    let figures: Lock<PlaybackFigures>

    var section: HostSection { .player }

    func perform(_ command: PlaybackCommand) -> ControlReply {
        let answer = Condition<ControlReply?>(nil)
        inbox.post(command) { reply in answer.change { $0 = reply } }
        let deadline = SystemTime.monotonic() + run.answerLimit * 1000
        return answer.wait(until: deadline) { $0 }
            ?? .failure(.timedOut, "the player did not come to it in time; it may still do so")
    }

    func erase() -> ControlReply { RunErasure.reply(run: run) }

    var statistics: JSONObject {
        let (snapshot, figures) = (snapshot.with { $0 }, figures.with { $0 })
        return [
            "run": .string(run.id), "time_us": .int(run.time),
            "playback": [
                "source": .string(snapshot.source), "name": .string(snapshot.name),
                "activity": .string(figures.activity.rawValue),
                "playhead_ms": figures.playheadMs.map { .int($0) } ?? .null,
                "duration_ms": snapshot.durationMs.map { .int($0) } ?? .null,
                "events": .int(Int64(figures.events)), "lost_events": .int(Int64(figures.refusedEvents)),
                "stalls": .int(Int64(figures.stalls)), "pauses": .int(Int64(figures.pauses)),
                "seeks": .int(Int64(figures.seeks)), "items": .int(Int64(figures.items)),
                "ads": .int(Int64(figures.ads)), "ad_errors": .int(Int64(figures.adErrors)),
            ],
        ]
    }
}
