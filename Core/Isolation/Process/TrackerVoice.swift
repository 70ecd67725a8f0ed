internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import System

/// What a tracker's process says, on its way to the player.
@safe final class TrackerVoice: OutputConsumer, @unchecked Sendable {
    let wanted: UInt32 = 1 << TALLY_OUTPUT_RECORD | 1 << TALLY_OUTPUT_BEACON
    /// Whose moments those of the outputs are; nil while it is made.
    weak var coordinator: Coordinator?
    /// The number of the run's message that is being handled.
    var number: UInt64 = 0
    /// Whether log lines are dropped: they were written when this was told for the first time.
    var isSilent = false
    /// Whether nothing is heard of what the tracker says: another one has said it, or does.
    var isMuted = false
    /// Whether the player's thread is to be called, if it sleeps, for more than that this is done with a message.
    var hasWord = false
    private let page: TrackerPage
    private let call: FileDescriptor
    private var video: OriginIdentity?
    private var videoID = ""

    init(_ page: TrackerPage, call: Int32) {
        self.page = page
        self.call = FileDescriptor(call)
    }

    func consume(_ output: Output) {
        guard unsafe output.item != nil, !isMuted else { return }
        if video !== output.identity {
            video = output.identity
            let id = unsafe output.identity.videoID.text
            if id != videoID {
                videoID = id
                say(.video, id)
            }
        }
        let segment = OutputSegment(capacity: OutputCopy.size(of: output))
        guard let copy = unsafe OutputCopy.copy(output, into: segment) else { return }
        let kind: TrackerMessage.Kind = output.what == TALLY_OUTPUT_RECORD ? .record : .beacon
        // A copy of a beacon begins with the beacon, and all that it points at lies behind it.
        var message = TrackerMessage(kind, segment.used)
        message.base = UInt64(UInt(bitPattern: copy))
        message.time = output.time
        message.ordinal = output.ordinal
        message.session = output.session
        unsafe send(message, UnsafeRawBufferPointer(start: copy, count: segment.used))
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }

    /// Says something in texts.
    func say(_ kind: TrackerMessage.Kind, _ texts: String...) {
        guard !isMuted || !kind.isOutput else { return }
        let bytes = TextList.bytes(texts)
        unsafe bytes.withUnsafeBytes { unsafe send(TrackerMessage(kind, bytes.count), $0) }
    }

    /// Says a line of the log.
    func log(_ level: Int32, _ text: String) {
        guard !isSilent else { return }
        let bytes = TextList.bytes([String(text.prefix(4096))])
        var message = TrackerMessage(.log, bytes.count)
        message.ordinal = UInt64(UInt32(bitPattern: level))
        unsafe bytes.withUnsafeBytes { unsafe send(message, $0) }
    }

    /// Says why the tracker could not be made.
    func refuse(_ reason: String, _ kind: Refusal) {
        let bytes = TextList.bytes([reason])
        var message = TrackerMessage(.refused, bytes.count)
        message.ordinal = kind.rawValue
        unsafe bytes.withUnsafeBytes { unsafe send(message, $0) }
    }

    /// Answers the message that is being handled.
    func answer(_ answer: Result<String, PluginError>) {
        let text: String
        var refuses = false
        switch answer {
        case .success(let answer): text = answer
        case .failure(let error): (text, refuses) = (error.reason, true)
        }
        let bytes = TextList.bytes([text])
        var message = TrackerMessage(.answer, bytes.count)
        message.ordinal = refuses ? 1 : 0
        unsafe bytes.withUnsafeBytes { unsafe send(message, $0) }
    }

    /// Calls the player's thread if it sleeps.
    func callPlayer() {
        let call = hasWord ? TrackerPage.Call.word : .progress
        // A thread that is awake looks for words before it sleeps.
        hasWord = false
        guard page.mustCallPlayer(for: call) else { return }
        var one: UInt64 = 1
        unsafe withUnsafeBytes(of: &one) { unsafe try? self.call.writeAll($0) }
    }

    private func send(_ message: TrackerMessage, _ content: UnsafeRawBufferPointer) {
        var message = message
        let moment = coordinator?.moment ?? OutputMoment()
        message.number = number
        (message.event, message.step, message.momentTime) = (moment.event, moment.step, moment.time)
        let size = Int(message.size)
        while !page.hasRoom(for: size) {
            hasWord = true
            callPlayer()
            page.sleep(microseconds: 100_000, waitingForRoom: true) { !page.hasRoom(for: size) }
        }
        unsafe page.append(size) { place in
            unsafe place.storeBytes(of: message, as: TrackerMessage.self)
            guard let from = content.baseAddress else { return }
            unsafe memcpy(place + TrackerMessage.headBytes, from, content.count)
        }
        hasWord = true
    }
}
