internal import HostSupport
internal import PlaybackEngine
internal import Tally
internal import TextEncoding

/// Plays a source: gives the engine its commands, by script and by signal, and hands its reports on.
///
/// All that happens after the start happens on the engine's thread.
final class Player: @unchecked Sendable {
    private let source: String
    private let tracking: PlaybackTracking
    private let durationMs: Int64?
    private let stopRequested: Guarded<String?>
    private let inbox: PlayerInbox
    /// Carries out the script's commands that are not for the player.
    private let queue: ControlQueue
    /// Whether an interruption was left out because there is no picture.
    private var isInterruptionLeftOut = false
    private let stopped = Guarded(false)
    private var script: ScriptClock
    private var engine: PlaybackEngine?
    private var startNs: Int64 = 0
    /// When a pause of a given length is over.
    private var resumeNs: Int64?

    /// Prepares to play; `stopRequested` becomes the reason for a graceful end, as soon as somebody has one.
    init(
        _ request: PlayerRequest,
        script: [PlaybackScript.Line],
        tracking: PlaybackTracking,
        stopRequested: Guarded<String?>,
        inbox: PlayerInbox,
        queue: ControlQueue
    ) {
        source = request.source
        durationMs = request.duration.map { Int64($0 * 1000) }
        self.script = ScriptClock(script)
        self.tracking = tracking
        self.stopRequested = stopRequested
        self.inbox = inbox
        self.queue = queue
    }

    /// Lines of the script that were not reached; to be asked after the end.
    var unreachedLines: [PlaybackScript.Line] { script.rest }

    /// Starts to play; the engine lives as long as this player.
    func start(_ configuration: EngineConfiguration) {
        startNs = Clock.bootNs()
        tracking.launch(atNs: startNs)
        _ = tracking.play(atNs: startNs)
        let engine = PlaybackEngine(
            configuration: configuration,
            onTick: { [weak self] timeNs, positionMs in self?.tick(timeNs, positionMs) },
            handler: { [weak self] report in self?.handle(report) }
        )
        self.engine = engine
        engine.load(source)
        engine.play()
    }

    /// Whether the engine has released everything.
    var isStopped: Bool { stopped.with { $0 } }

    /// Waits until the engine has released everything.
    func waitUntilStopped() {
        engine?.waitUntilStopped()
    }

    // MARK: - On the engine's thread

    private func handle(_ report: EngineReport) {
        tracking.handle(report)
        switch report.event {
        case .endOfStream: engine?.stop()
        case .stopped: stopped.with { $0 = true }
        default: break
        }
    }

    private func tick(_ timeNs: Int64, _ positionMs: Int64?) {
        guard !tracking.isOver else { return }
        tracking.describeIfChanged()
        if let reason = stopRequested.with({ $0 }) {
            stop(reason, timeNs)
            return
        }
        let sinceStartMs = (timeNs - startNs) / 1_000_000
        if let durationMs, sinceStartMs >= durationMs {
            stop("the time of --duration is over", timeNs)
            return
        }
        if let resumeNs, timeNs >= resumeNs {
            _ = perform(.play, timeNs)
        }
        for entry in inbox.take() {
            let isOver = tracking.isOver
            entry.done(isOver ? .failure(.ended, "playback is over") : perform(entry.command, timeNs))
        }
        while !tracking.isOver, let line = script.next(sinceStartMs: sinceStartMs, playheadMs: positionMs) {
            perform(line, timeNs)
        }
    }

    private func stop(_ reason: String, _ timeNs: Int64) {
        tracking.notes.say("ending: \(reason)")
        tracking.unload(atNs: timeNs)
        engine?.stop()
    }

    private func perform(_ line: PlaybackScript.Line, _ timeNs: Int64) {
        switch line.command {
        case .playback(let command): tell(perform(command, timeNs))
        // At once, so that the order with the events is the script's.
        case .plugin(.enable(let name)): tell(tracking.run.enable(plugin: name), name, orElse: line.command)
        case .plugin(.disable(let name)): tell(tracking.run.disable(plugin: name), name, orElse: line.command)
        default: submit(line.command)
        }
    }

    private func perform(_ command: PlaybackCommand, _ timeNs: Int64) -> ControlReply {
        switch command {
        case .pause(let milliseconds):
            guard tracking.pause() else { return .done("playback is paused already", changed: false) }
            resumeNs = milliseconds.map { timeNs + $0 * 1_000_000 }
            engine?.pause()
        case .play:
            resumeNs = nil
            guard tracking.play(atNs: timeNs) else { return .done("playback goes on already", changed: false) }
            engine?.play()
        case .seek(let milliseconds): engine?.seek(toMs: milliseconds)
        case .rate(let rate): engine?.setRate(rate)
        case .mute(let isMuted): engine?.setMuted(isMuted)
        case .volume(let volume): engine?.setVolume(volume)
        case .pin(let bitrate):
            tracking.renditions.pin(bitrate)
            engine?.pinRendition(maxBitrate: bitrate)
        case .interrupt(let reason): return interrupt(reason)
        case .interruptEnd: return endInterruption()
        case .consent(let state, let tracker):
            tracking.track(tracking.run.trackConsent(state, tracker: tracker))
        case .custom(let name, let attributes):
            tracking.track(
                tracking.run.trackCustomEvent(name) { encoder in
                    for attribute in attributes {
                        encoder.set(custom: attribute.name, attribute.value)
                    }
                }
            )
        case .stop: stop("a command says so", timeNs)
        }
        return .done("done")
    }

    /// A locked device and a player in the background interrupt pictures only: who listens goes on.
    private func interrupt(_ reason: String) -> ControlReply {
        let isAudioOnly = tracking.snapshot.with { $0.media.map { !$0.hasVideo } ?? false }
        if isAudioOnly, ["lock", "background"].contains(reason) {
            isInterruptionLeftOut = true
            return .done("\(reason) is no interruption of a session without pictures", changed: false)
        }
        isInterruptionLeftOut = false
        tracking.track(tracking.run.trackInterruptionStart(reason))
        return .done("done")
    }

    private func endInterruption() -> ControlReply {
        if isInterruptionLeftOut {
            isInterruptionLeftOut = false
            return .done("there was no interruption", changed: false)
        }
        tracking.track(tracking.run.trackInterruptionEnd())
        return .done("done")
    }

    private func tell(_ change: PluginChange, _ name: String, orElse command: ControlCommand) {
        switch change {
        case .requested: break
        case .alreadyEnabled: tracking.notes.say("\(name) is enabled already")
        case .alreadyDisabled: tracking.notes.say("\(name) is disabled already")
        case .unknown: submit(command)
        case .refused(let reason): tracking.notes.warn(reason)
        }
    }

    /// Has a command carried out without waiting for it.
    private func submit(_ command: ControlCommand) {
        let notes = tracking.notes
        queue.submit(command) { reply in Self.tell(reply, notes, onlyProblems: false) }
    }

    private func tell(_ reply: ControlReply) {
        Self.tell(reply, tracking.notes, onlyProblems: true)
    }

    private static func tell(_ reply: ControlReply, _ notes: ProgressNotes, onlyProblems: Bool) {
        switch reply {
        case .failure(let problem): notes.warn(problem.message)
        case .success(let data):
            guard !onlyProblems || data["changed"]?.bool == false else { return }
            let text = ControlReplyText.text(reply, on: Terminal(isTerminal: false, hasColour: false))
            for line in text.split(separator: "\n") {
                notes.say(String(line))
            }
        }
    }
}
