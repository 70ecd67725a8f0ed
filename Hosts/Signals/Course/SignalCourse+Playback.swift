internal import Chapters
internal import EventModel
internal import MediaRules
internal import Tally

// The course of playback: wishes, waits, seeks and the playhead.
extension SignalCourse {
    /// How long a player may take to go on once it has enough data: a longer halt has become a pause.
    private static let resumptionNs: Int64 = 250_000_000
    /// How long the playhead may stand still though nothing is waited for.
    private static let freezeNs: Int64 = 1_000_000_000
    /// A seek to the present place within so much is a change of the rate.
    private static let samePlaceMs: Int64 = 500

    // MARK: - Wishes

    mutating func play() {
        item?.pauseNs = nil
        guard !wantsPlaying else { return }
        wantsPlaying = true
        item?.startup.want(true, atNs: nowNs)
        guard let item else { return }
        if item.isLoaded { begin() }
        startIfMoving()
    }

    mutating func pause() {
        item?.pauseNs = nil
        guard wantsPlaying else { return }
        wantsPlaying = false
        endFreeze()
        item?.startup.want(false, atNs: nowNs)
        if item?.hasBegun == true { call(.event(.pause)) }
    }

    /// Playback begins, or goes on.
    mutating func begin() {
        item?.hasBegun = true
        item?.movedNs = nowNs
        call(.event(.play))
        guard let hasStarted = item?.hasStarted else { return }
        let cause = hasStarted ? BufferingCause.stall : .initial
        if item?.waits.resume(as: cause, atNs: nowNs) == true { tellWait(cause) }
    }

    /// The player's clock runs or stands: by a wish, or because it waits for data.
    mutating func clockChanged(isRunning: Bool) {
        if !isRunning, self.isRunning == true { advance() }
        self.isRunning = isRunning
        guard let item else { return }
        if isRunning {
            self.item?.pauseNs = nil
            if item.level < 100, item.waits.isEngineWaiting { levelChanged(to: 100) }
            play()
            return startIfMoving()
        }
        // Within a seek or before the first picture a halt is the player's own.
        guard !item.isSeeking, item.hasStarted else { return }
        if item.level < 100 {
            wait()
        } else if let filledNs = item.filledNs, nowNs - filledNs < Self.resumptionNs {
            // A program that halts for its buffer may do so when the buffer is full again already, and goes on at once.
            self.item?.pauseNs = filledNs + Self.resumptionNs
        } else {
            pause()
        }
    }

    // MARK: - Waits

    mutating func levelChanged(to percent: Int) {
        guard let item, percent != item.level || percent >= 100 else { return }
        self.item?.level = percent
        guard percent >= 100 else {
            // A player that tells of its clock halts it when it waits; one that goes on may have enough all the same.
            if isRunning != true || !item.hasStarted { wait() }
            return
        }
        if item.level < 100 { self.item?.filledNs = nowNs }
        guard self.item?.waits.isEngineWaiting == true else { return }
        if self.item?.waits.complete(atNs: nowNs) != nil { call(.event(.bufferComplete)) }
        self.item?.movedNs = nowNs
        if isRunning == false, wantsPlaying, item.hasStarted { self.item?.pauseNs = nowNs + Self.resumptionNs }
    }

    mutating func wait() {
        guard let item, item.isLoaded, !item.waits.isEngineWaiting else { return }
        endFreeze()
        let cause: EngineBufferingCause =
            !item.hasStarted ? .initial : item.isSeeking ? .seek : wantsPlaying ? .stall : .paused
        if let told = self.item?.waits.start(cause, isWanted: wantsPlaying, atNs: nowNs) { tellWait(told) }
    }

    private mutating func tellWait(_ cause: BufferingCause) {
        call(.event(.bufferStart, [.init("buffer_cause", .string(cause.rawValue))]))
    }

    // MARK: - The first frame

    mutating func pictureShown() {
        guard let item, !item.hasPicture else { return }
        self.item?.hasPicture = true
        known.quality.set("first_picture_time_ms", .int(item.startup.milliseconds(atNs: nowNs)))
        startIfMoving()
    }

    /// The main content begins with the first picture that moves.
    mutating func startIfMoving() {
        guard let item, item.isLoaded, item.isOpened, item.hasPicture, !item.hasStarted else { return }
        guard isRunning ?? wantsPlaying, !item.waits.isEngineWaiting else { return }
        self.item?.hasStarted = true
        self.item?.movedNs = nowNs
        self.item?.readNs = nowNs
        known.quality.set("startup_time_ms", .int(item.startup.milliseconds(atNs: nowNs)))
        known.state.playhead = known.state.playhead ?? item.targetMs ?? 0
        call(.event(.firstFrame))
    }

    // MARK: - Seeks

    mutating func seek(to targetMs: Int64?, _ rate: Double?) {
        guard let item else { return }
        self.item?.targetMs = targetMs
        // Before the first picture it is a part of the load.
        guard item.isLoaded, item.hasPicture else { return }
        let isNewRate = rate.map { $0 != Double(known.state.rate ?? 1_000) / 1_000 } ?? false
        if isNewRate, !item.isSeeking, isPresentPlace(targetMs) {
            self.item?.rateToCome = rate
            return
        }
        guard !item.isSeeking else { return }
        endFreeze()
        let fromMs = reachedMs
        self.item?.isSeeking = true
        self.item?.rateToCome = isNewRate ? rate : nil
        var places: [TrackedCall.Attribute] = []
        places.set("seek_from_ms", fromMs.map { .int($0) })
        places.set("seek_to_ms", targetMs.map { .int($0) })
        call(.event(.seekStart, places))
    }

    private func isPresentPlace(_ targetMs: Int64?) -> Bool {
        guard let targetMs, let playheadMs = known.state.playhead else { return true }
        return abs(targetMs - playheadMs) <= Self.samePlaceMs
    }

    mutating func seekCompleted(at positionMs: Int64?) {
        guard let item else { return }
        if let rate = item.rateToCome {
            self.item?.rateToCome = nil
            known.state.rate = Canonical.thousandths(rate) ?? known.state.rate
            if !item.isSeeking { return call(.event(.playheadSample)) }
        }
        guard item.isSeeking else { return }
        self.item?.isSeeking = false
        self.item?.movedNs = nowNs
        self.item?.readNs = nowNs
        if let reachedMs = positionMs ?? item.targetMs {
            known.state.playhead = reachedMs
            tell(self.item?.chapters.jumped(toMs: reachedMs) ?? [])
        }
        call(.event(.seekComplete))
    }

    // MARK: - The playhead

    mutating func playheadRead(_ positionMs: Int64?) {
        guard let item, item.isLoaded, let positionMs, !item.isSeeking else { return }
        if !item.isOpened {
            self.item?.isOpened = true
            startIfMoving()
        }
        self.item?.readNs = nowNs
        let hasMoved = positionMs != known.state.playhead
        known.state.playhead = positionMs
        if let durationMs = known.state.duration, durationMs > 0, positionMs > durationMs {
            known.state.duration = positionMs
        }
        guard item.hasStarted else { return }
        if hasMoved {
            self.item?.movedNs = nowNs
            endFreeze()
        }
        guard wantsPlaying, isRunning ?? true, !item.waits.isEngineWaiting || item.isFrozen else { return }
        if !hasMoved, !item.isFrozen, nowNs - item.movedNs > Self.freezeNs { return freeze() }
        guard self.item?.isFrozen == false else { return }
        tell(self.item?.chapters.moved(toMs: positionMs) ?? [])
        call(.event(.playheadSample))
        sampleQuality()
    }

    /// The playhead halts: it moved on since it was looked at, unless it stood at the last look already.
    private mutating func advance() {
        guard let item, item.movedNs == item.readNs, let reachedMs else { return }
        known.state.playhead = known.state.duration.map { $0 > 0 ? min($0, reachedMs) : reachedMs } ?? reachedMs
        self.item?.readNs = nowNs
        self.item?.movedNs = nowNs
    }

    /// The playhead stands still though it should move: with an empty buffer it is a stall that the player ignores.
    private mutating func freeze() {
        self.item?.isFrozen = true
        let cause: EngineBufferingCause = (item?.level ?? 100) < 100 ? .stall : .frozen
        if let told = item?.waits.start(cause, isWanted: wantsPlaying, atNs: nowNs) { tellWait(told) }
    }

    mutating func endFreeze() {
        guard item?.isFrozen == true else { return }
        item?.isFrozen = false
        if item?.waits.complete(atNs: nowNs) != nil { call(.event(.bufferComplete)) }
    }
}
