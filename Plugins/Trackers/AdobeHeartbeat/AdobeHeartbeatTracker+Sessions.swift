internal import AdobeShared
internal import PluginKit

// How sessions begin, go on and end.
extension AdobeHeartbeatTracker {
    /// Adobe's trackVideoLoad: opens a session, also out of the error state.
    func load(_ attributes: AttributeList, at moment: KeptMoment) {
        tracer.beginSession()
        tracer.debug(Self.type, "trackVideoLoad", at: moment.time, "trackVideoLoad()")
        repeatedFault = nil
        // The core puts an unload before such a load; an archive from elsewhere may have none.
        if case .open = phase { perform(.unload, at: moment) }
        phase = .idle
        stopTimer()
        if let problem = configuration.problem { return fail(.configuration, details: problem, at: moment) }
        var video = VideoInformation()
        video.read(attributes)
        switch video.check(at: moment) {
        case .invalid(let problem): fail(.information, details: problem.details, at: moment)
        case .complete: phase = .open(open(video, loadedAt: moment, now: moment))
        case .notYet(let missing):
            tracer.debug(Self.type, "trackVideoLoad", at: moment.time, "waits: \(missing.details)")
            let interval = configuration.trackingInterval
            let held = HeldLoad(video, missing: missing, interval: interval, at: moment)
            phase = .held(held)
        }
    }

    /// What is known of the video changed.
    func update(_ attributes: AttributeList, at moment: KeptMoment) {
        switch phase {
        case .idle, .failed: return
        case .open(let session):
            attempt(at: moment) { () throws(InvalidInformation) in
                session.update(try session.video.updated(with: attributes))
            }
        case .held(var held):
            held.video.read(attributes)
            goOn(held, at: moment)
        }
    }

    /// Whether any event matters for its state: a load may wait for it, and 1.3.1 tells the place in an ad.
    var wantsEveryEvent: Bool {
        switch phase {
        case .held: true
        case .open(let session): session.followsAd
        case .idle, .failed: false
        }
    }

    /// Looks at the player at an event that stands for no call.
    func look(at moment: KeptMoment) {
        switch phase {
        case .held(let held):
            goOn(held, at: moment)
            finishStep(at: moment)
        case .open(let session): session.followAd(at: moment)
        case .idle, .failed: break
        }
    }

    /// The timer of a held load has fired: a quantum ends, or the load is looked at for the last time.
    func wait(_ held: HeldLoad, at moment: KeptMoment) {
        var held = held
        held.endQuantum(at: moment)
        goOn(held, at: moment, isLast: held.isOver(at: moment.time))
    }

    /// The machine sleeps from an event on for a length, us: it is no time of what goes on.
    ///
    /// In archives of the first rules timers fell due in the sleep, which is told when it is over: it counts there.
    func sleep(for length: Int64, from event: EventView, at moment: KeptMoment) {
        guard (1..<1 << 53).contains(length) else { return }
        let sleep = Sleep(from: moment, to: KeptMoment(run.moment(event.time + length, event.state)))
        // The core gives a timer the time that it had left.
        timer?.deadline += length
        switch phase {
        case .open(let session): session.pass(sleep)
        case .held(var held):
            held.pass(sleep)
            phase = .held(held)
        case .idle, .failed: break
        }
    }

    /// A call of the track API, but for the load.
    func perform(_ call: TrackCall, at moment: KeptMoment) {
        switch phase {
        case .open(let session):
            attempt(at: moment) { () throws(InvalidInformation) in try session.perform(call, at: moment) }
            if case .unload = call, case .open = phase {
                phase = .idle
                stopTimer()
                if writer.failure == nil { internalFailures = 0 }
            }
        case .held(var held):
            if call.endsWaiting {
                goOn(held, at: moment, isLast: true)
                if case .open = phase { perform(call, at: moment) }
                return
            }
            guard held.hold(call, at: moment) else {
                return fail(.information, details: held.missing.details, at: moment)
            }
            goOn(held, at: moment)
        case .idle: ignore(call, "no session is open", at: moment)
        case .failed: ignore(call, "the tracker is in the error state; the next trackVideoLoad leaves it", at: moment)
        }
    }

    /// Opens the session of a held load when all is known now, and performs the calls that waited, each at its time.
    private func goOn(_ held: HeldLoad, at moment: KeptMoment, isLast: Bool = false) {
        var held = held
        switch held.video.check(at: moment) {
        case .invalid(let problem): return fail(.information, details: problem.details, at: moment)
        case .notYet(let missing):
            held.missing = missing
            phase = .held(held)
            if isLast { fail(.information, details: missing.details, at: moment) }
            return
        case .complete: break
        }
        stopTimer()
        let session = open(held.video, loadedAt: held.moment.withLength(of: moment), now: moment)
        phase = .open(session)
        for waiting in held.steps {
            guard case .open = phase else { return }
            let then = waiting.moment.withLength(of: moment)
            switch waiting.step {
            case .call(let call):
                attempt(at: moment) { () throws(InvalidInformation) in try session.perform(call, at: then) }
            case .quantumEnd: session.endQuantum(at: then)
            case .sleep(let sleep): session.pass(sleep)
            }
        }
    }

    private func open(_ video: VideoInformation, loadedAt load: KeptMoment, now: KeptMoment) -> HeartbeatSession {
        HeartbeatSession(video, writer: writer, host: host, tracer: tracer, loadedAt: load, now: now)
    }

    private func ignore(_ call: TrackCall, _ reason: String, at moment: KeptMoment) {
        // A quality sample changes nothing but the figures of later entries, and the player says when it is unloaded.
        switch call {
        case .qualityUpdate, .renditionShown, .adBreakStart, .adBreakComplete: return
        default: tracer.warn(Self.type, call.name, at: moment.time, "ignored: \(reason)")
        }
    }

    // MARK: - After each step

    /// Looks whether everything could be put out, and sets the timer.
    func finishStep(at moment: KeptMoment) {
        if let failure = writer.failure {
            writer.forgetFailure()
            fail(.internal, details: failure, at: moment)
        }
        switch phase {
        case .open(let session): syncTimer(session.clock.deadline)
        case .held(let held): syncTimer(held.deadline)
        case .idle, .failed: break
        }
    }

    func syncTimer(_ deadline: Int64?) {
        guard deadline != timer?.deadline else { return }
        stopTimer()
        if let deadline { startTimer(at: deadline) }
    }

    func stopTimer() {
        if let timer { host.cancel(timer.id) }
        timer = nil
    }

    private func startTimer(at deadline: Int64) { timer = host.startTimer(at: deadline).map { ($0, deadline) } }
}

extension TrackCall {
    /// Whether nothing that is missing can come after it.
    fileprivate var endsWaiting: Bool {
        switch self {
        case .complete, .unload: true
        default: false
        }
    }
}
