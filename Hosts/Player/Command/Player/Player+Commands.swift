internal import HostSupport
internal import PlaybackEngine
internal import PlayerSignals
internal import Tally
internal import TextEncoding

/// The commands, from the script and from the inbox; on the thread of the engine that plays.
extension Player {
    /// Carries out a line of the script; `play` does what it says to the player.
    func perform(_ line: PlaybackScript.Line, by play: (PlaybackCommand) -> ControlReply) {
        scripted.place = line.place
        defer { scripted.place = nil }
        switch line.command {
        case .playback(let command): Self.show(play(command), tracking.notes, line.place, onlyProblems: true)
        // At once, so that the order with the events is the script's.
        case .plugin(.enable(let name)): show(tracking.run.enable(plugin: name), name, orElse: line)
        case .plugin(.disable(let name)): show(tracking.run.disable(plugin: name), name, orElse: line)
        default: submit(line)
        }
    }

    func perform(_ command: PlaybackCommand, _ timeNs: Int64) -> ControlReply {
        switch command {
        case .pause(let milliseconds):
            guard tracking.pause() else { return .done("playback is paused already", changed: false) }
            resumeNs = milliseconds.map { timeNs + $0 * 1_000_000 }
            ads?.playing?.pause()
            if ads?.isHolding != true { engine?.send(.pause) }
        case .play:
            resumeNs = nil
            guard tracking.play(atNs: timeNs) else { return .done("playback goes on already", changed: false) }
            ads?.playing?.play()
            if ads?.isHolding != true { engine?.send(.play) }
        case .seek(let milliseconds):
            if let refusal = ads?.refusalOfMoves { return refusal }
            order(.seek(toMs: milliseconds))
        case .rate(let rate):
            if let refusal = ads?.refusalOfMoves { return refusal }
            guard rate <= 1 || tracking.snapshot.with({ $0.media?.isLive }) != true else {
                return .failure(.refused, "a live stream cannot be played faster than it comes")
            }
            order(.setRate(rate))
        case .mute(let isMuted):
            engine?.send(.setMuted(isMuted))
            ads?.playing?.set(volume: tracking.snapshot.with { $0.volume }, isMuted: isMuted)
        case .volume(let volume):
            order(.setVolume(volume))
            ads?.playing?.set(volume: volume, isMuted: tracking.snapshot.with { $0.isMuted })
        case .fullscreen(let isFullscreen):
            pretend { $0.isFullscreen = isFullscreen }
            ads?.playing?.set(isFullscreen: isFullscreen)
        case .size(let width, let height): pretend { $0.playerSize = (width, height) }
        case .connection(let type): connect(type)
        case .audioOnly(let isAudioOnly): pretend { $0.isAudioOnly = isAudioOnly }
        case .load(let source):
            playlist.insert(source)
            ads?.playing?.close()
            leave(timeNs)
        case .next:
            guard playlist.hasNext else { return .failure(.unavailable, "there is no next source") }
            ads?.playing?.close()
            leave(timeNs)
        case .skipAd: return ads?.playing?.skip() ?? .failure(.unavailable, "there is no ad to skip")
        case .clickAd: return ads?.playing?.click() ?? .failure(.unavailable, "there is no ad to click on")
        case .pin(let bitrate):
            tracking.renditions.pin(bitrate)
            order(.pinRendition(maxBitrate: bitrate))
        case .audio(let wish):
            if ads?.isHolding == true { return .failure(.unavailable, "an ad is played: choose when it is over") }
            order(.selectAudio(wish))
        case .subtitles(let wish):
            if ads?.isHolding == true { return .failure(.unavailable, "an ad is played: choose when it is over") }
            order(.selectSubtitles(wish))
        case .interrupt(let reason): return interrupt(reason)
        case .interruptEnd: return endInterruption()
        case .consent(let state, let tracker):
            tracking.track(tracking.run.trackConsent(state, tracker: tracker))
        case .custom(let name, let attributes):
            tracking.track(
                tracking.run.trackCustomEvent(name) { encoder in
                    for attribute in attributes { encoder.set(custom: attribute.name, attribute.value) }
                }
            )
        case .step: return .failure(.unavailable, "only a replay goes on by steps: see tally-replay")
        case .stop:
            ads?.playing?.close()
            stop("a command says so", timeNs)
        }
        return .done("done")
    }

    /// Gives the engine an order that it may refuse.
    private func order(_ order: EngineCommand) {
        scripted.give(order)
        engine?.send(order)
    }

    /// Changes what is said of a screen that is not there.
    private func pretend(_ change: (inout PlayerSnapshot) -> Void) {
        tracking.snapshot.with { change(&$0) }
        tracking.track(tracking.run.trackPlayhead())
    }

    /// Changes what is said of a network that this player does not choose.
    private func connect(_ type: String) {
        tracking.snapshot.with { $0.connectionType = type }
        tracking.track(
            tracking.run.trackCustomEvent("connection_change") { encoder in
                encoder.set(custom: "connection_type", .string(type))
            }
        )
    }

    /// A locked device and a player in the background interrupt pictures only: who listens goes on.
    private func interrupt(_ reason: String) -> ControlReply {
        let isAudioOnly = tracking.snapshot.with { $0.saysAudioOnly }
        if isAudioOnly == true, ["lock", "background"].contains(reason) {
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

    private func show(_ change: PluginChange, _ name: String, orElse line: PlaybackScript.Line) {
        switch change {
        case .requested: break
        case .alreadyEnabled: tracking.notes.say("\(name) is enabled already")
        case .alreadyDisabled: tracking.notes.say("\(name) is disabled already")
        case .unknown: submit(line)
        case .refused(let reason): tracking.notes.warn("\(line.place): \(reason)")
        }
    }

    /// Has a line carried out without waiting for it.
    private func submit(_ line: PlaybackScript.Line) {
        let notes = tracking.notes
        plan.queue.submit(line.command) { reply in Self.show(reply, notes, line.place, onlyProblems: false) }
    }

    private static func show(_ reply: ControlReply, _ notes: ProgressNotes, _ place: String, onlyProblems: Bool) {
        switch reply {
        case .failure(let problem): notes.warn("\(place): \(problem.description)")
        case .success(let data):
            guard !onlyProblems || data["changed"]?.bool == false else { return }
            let text = ControlReplyText.text(reply, on: Terminal(isTerminal: false, hasColour: false))
            for line in text.split(separator: "\n") { notes.say(String(line)) }
        }
    }
}
