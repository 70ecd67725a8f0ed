internal import CTally
internal import EventModel
internal import Glibc
internal import Synchronization
internal import Tally

/// What the caller has said of its player so far, as the delegate that is asked at each track call.
///
/// From any thread.
@safe final class PushedPlayer: PlayerDelegate {
    private static let subjects = Int(TALLY_SUBJECT_QUALITY.rawValue) + 1

    private let state = Lock(ReportedState())
    private let infos = Lock([[TrackedCall.Attribute]](repeating: [], count: subjects))
    /// A bit for each subject of which something is known, and one for the state: what nobody told costs nothing.
    private let known = Atomic<UInt32>(0)
    private static let stateBit: UInt32 = 1 << 31
    private let time = Atomic<Int64>(-1)
    private let reports: ReportQueue
    /// The run's id, once there is one.
    private let run = Lock("")

    init(reports: ReportQueue) { self.reports = reports }

    func begin(run id: String) { run.with { $0 = id } }

    /// What is tracked next happened at a time of the run, us; below 0 is when it is tracked.
    func happen(at time: Int64) { self.time.store(time, ordering: .relaxed) }

    // MARK: - What is known

    func setState(_ said: tally_player_state) { change { $0.update(said.known, from: said) } }

    func forget(_ members: UInt32) { change { $0.update(members, from: nil) } }

    func setState(_ known: ReportedState) { change { $0 = known } }

    func setPlayhead(_ milliseconds: Int64) { change { $0.playhead = milliseconds } }

    private func change(_ change: (inout ReportedState) -> Void) {
        state.with(change)
        if known.load(ordering: .relaxed) & Self.stateBit == 0 { known.bitwiseOr(Self.stateBit, ordering: .releasing) }
    }

    private var hasState: Bool { known.load(ordering: .acquiring) & Self.stateBit != 0 }

    func setInfo(_ subject: Int, _ attributes: [TrackedCall.Attribute]) {
        infos.with { $0[subject] = attributes }
        let bit = UInt32(1) << UInt32(subject)
        if attributes.isEmpty {
            known.bitwiseAnd(~bit, ordering: .releasing)
        } else {
            known.bitwiseOr(bit, ordering: .releasing)
        }
    }

    // MARK: - What Tally asks

    func playerState(_ state: borrowing PlayerStateEncoder) {
        if hasState { self.state.with { state.place($0) } }
        let time = time.load(ordering: .relaxed)
        if time >= 0 { state.happened(at: time) }
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        if hasState { state.with { info.quality($0) } }
        write(TALLY_SUBJECT_QUALITY) { info.custom($0.name, $0.value) }
    }

    func videoInfo(_ info: borrowing VideoInfoEncoder) {
        write(TALLY_SUBJECT_VIDEO) { info.custom($0.name, $0.value) }
    }

    func adBreakInfo(_ info: borrowing AdBreakInfoEncoder) {
        write(TALLY_SUBJECT_AD_BREAK) { info.custom($0.name, $0.value) }
    }

    func adInfo(_ info: borrowing AdInfoEncoder) { write(TALLY_SUBJECT_AD) { info.custom($0.name, $0.value) } }

    func chapterInfo(_ info: borrowing ChapterInfoEncoder) {
        write(TALLY_SUBJECT_CHAPTER) { info.custom($0.name, $0.value) }
    }

    private func write(_ subject: tally_subject, _ set: (TrackedCall.Attribute) -> Void) {
        guard known.load(ordering: .acquiring) & (1 << subject.rawValue) != 0 else { return }
        for attribute in infos.with({ $0[Int(subject.rawValue)] }) { set(attribute) }
    }

    // MARK: - What Tally tells

    func videoUnloaded(_ report: SessionReport) { reports.add(.session(run: run.with { $0 }, report)) }

    func error(_ error: TrackerError) { reports.add(.error(run: run.with { $0 }, error)) }
}

extension ReportedState {
    /// Takes over members that are known, or forgets them.
    fileprivate mutating func update(_ members: UInt32, from said: tally_player_state?) {
        func has(_ member: Int) -> Bool { members & UInt32(member) != 0 }
        func truth(_ value: UInt8?) -> Bool? { value.map { $0 != 0 } }
        if has(TALLY_HAS_PLAYHEAD) { playhead = said?.playhead_ms }
        if has(TALLY_HAS_AD_PLAYHEAD) { adPlayhead = said?.ad_playhead_ms }
        if has(TALLY_HAS_DURATION) { duration = said.map { max(-1, $0.duration_ms) } }
        if has(TALLY_HAS_LIVE_WALL) { liveWall = said?.live_wall_ms }
        if has(TALLY_HAS_BITRATE) { bitrate = said?.bitrate }
        if has(TALLY_HAS_THROUGHPUT) { throughput = said?.throughput }
        if has(TALLY_HAS_DROPPED) { droppedFrames = said?.dropped_frames }
        if has(TALLY_HAS_RENDERED) { renderedFrames = said?.rendered_frames }
        if has(TALLY_HAS_RATE) { rate = said.flatMap { Canonical.thousandths($0.rate) } }
        if has(TALLY_HAS_VOLUME) { volume = said.flatMap { Canonical.thousandths($0.volume) } }
        if has(TALLY_HAS_FRAME_RATE) { framesPerSecond = said.flatMap { Canonical.thousandths($0.frame_rate) } }
        if has(TALLY_HAS_SIZE) { size = said.map { Size(width: $0.width, height: $0.height) } }
        if has(TALLY_HAS_PLAYER_SIZE) {
            playerSize = said.map { Size(width: $0.player_width, height: $0.player_height) }
        }
        if has(TALLY_HAS_MUTED) { isMuted = truth(said?.is_muted) }
        if has(TALLY_HAS_FULLSCREEN) { isFullscreen = truth(said?.is_fullscreen) }
        if has(TALLY_HAS_LIVE) { isLive = truth(said?.is_live) }
        if has(TALLY_HAS_AUDIO_ONLY) { isAudioOnly = truth(said?.is_audio_only) }
    }
}
