import CGStreamer
import Glibc
import Streaming
import Synchronization
import System

/// What the engine sees from inside of the pipeline: frames at the sink, new elements, the manifest.
///
/// Its callbacks run on streaming threads. They count, set properties of new elements and post to the mailbox; they
/// never touch the state of the engine thread.
@safe final class StreamTap: @unchecked Sendable {
    /// Decoders of video or audio, by the bits that the headers define with macros Swift cannot see.
    private static let mediaDecoder: GstElementFactoryListType = 1 | 1 << 49 | 1 << 50
    private static let videoDecoder: GstElementFactoryListType = 1 | 1 << 49
    private static let demuxer: GstElementFactoryListType = 1 << 5
    private static let manifestLimit = 1 << 20
    /// The longest wait for the demuxer's own thread; it may wait for a playlist.
    private static let schedulerLimitMs: Int64 = 2000

    private let configuration: EngineConfiguration
    private let mailbox: Mailbox
    /// What requests say of the media; nil when they say nothing of it.
    private let reporting: CMCDReporting?
    let extent = MediaExtent()
    let ledger = DecoderLedger()
    let holes = MediaHoles()
    let hiddenTexts = HiddenTexts()
    private let rendered = Atomic<Int>(0)
    private let prerolled = Atomic<Bool>(false)
    private let isPictureDue = Atomic<Bool>(true)
    private let isFormatNew = Atomic<Bool>(false)
    private let state: Lock<State>

    @safe private struct State {
        var demuxer: UnsafeMutablePointer<GstElement>?
        /// The thread on which the demuxer decides what to ask for.
        var scheduler: DemuxerThread?
        var maxBitrate: Int64?
        var manifest: [UInt8] = []
        var file = ArrivingMP4()
        var location = ""
        /// What the pictures are like from the next one on.
        var nextFormat: StreamRendition?
    }

    init(configuration: EngineConfiguration, mailbox: Mailbox, reporting: CMCDReporting?) {
        self.configuration = configuration
        self.reporting = reporting
        self.mailbox = mailbox
        state = unsafe Lock(State(maxBitrate: configuration.maxBitrate))
    }

    deinit {
        guard let demuxer = unsafe state.with({ unsafe $0.demuxer }) else { return }
        TransferWatch.shared?.remove(id)
        unsafe gst_object_unref(demuxer)
    }

    /// Names the item, before it is opened.
    func setLocation(_ uri: String) { state.with { $0.location = uri } }
    private var id: UInt { UInt(bitPattern: ObjectIdentifier(self)) }
    var renderedFrames: Int64 { Int64(rendered.load(ordering: .relaxed)) }
    var isAdaptive: Bool { state.with { unsafe $0.demuxer != nil } }

    /// Calls the body when the item is adaptive.
    func withAdaptiveDemuxer(_ body: (GObjectProperties) -> Void) {
        guard let demuxer = unsafe state.with({ unsafe $0.demuxer }) else { return }
        unsafe body(GObjectProperties(demuxer))
    }

    /// Tells of the requests that a seek gave up.
    func giveUpTransfers(beganBefore timeNs: Int64) {
        guard isAdaptive else { return }
        TransferWatch.shared?.giveUp(id, beganBefore: timeNs)
    }

    /// Seeks while all that the demuxer has asked for is on its way, and it asks for nothing.
    ///
    /// GStreamer 1.22 cannot give up a request that still waits for the thread that makes transfers, as it may on a
    /// busy machine: it takes the answer for that to what it asks for after the seek, and ends the process or stands
    /// still.
    func betweenRequests(_ seek: @escaping () -> Bool) -> Bool {
        guard let scheduler = state.with({ $0.scheduler }) else { return seek() }
        let accepted = Atomic<Bool>(false)
        let isDone = scheduler.perform(.next, limitMs: Self.schedulerLimitMs) { [id] in
            TransferWatch.shared?.awaitRequests(of: id)
            accepted.store(seek(), ordering: .releasing)
            // A request that is given up is used once more on the thread that makes transfers, and freed on this one.
            TransferWatch.shared?.awaitRequests(of: id)
        }
        return isDone ? accepted.load(ordering: .acquiring) : seek()
    }

    /// Whether the demuxer has asked for what is not here yet; nil when that cannot be said.
    var hasRequests: Bool? {
        guard let watch = TransferWatch.shared, let scheduler = state.with({ $0.scheduler }) else { return nil }
        if watch.hasTransfers(of: id) { return true }
        // What was answered just now may lead to the next request, and that may wait for its turn.
        guard scheduler.perform(.last, limitMs: Self.schedulerLimitMs, {}) else { return nil }
        watch.awaitRequests(of: id)
        return watch.hasTransfers(of: id)
    }

    /// The address of a segment that is a whole MP4 file, when the demuxer has got all that it asked for; waits for it.
    var wholeFile: String? {
        guard isAdaptive, let watch = TransferWatch.shared, !watch.hasTransfers(of: id) else { return nil }
        return watch.wholeFile(of: id)
    }

    /// Sets the ceiling of the renditions, now or when the demuxer appears.
    func pin(maxBitrate newMaximum: Int64?) {
        state.with { $0.maxBitrate = newMaximum }
        withAdaptiveDemuxer { $0.set("max-bitrate", newMaximum ?? 0) }
    }

    func frameRendered() {
        tellFormat()
        rendered.add(1, ordering: .relaxed)
        tellPicture()
    }

    func framePrerolled() {
        tellFormat()
        prerolled.store(true, ordering: .relaxed)
        tellPicture()
    }

    /// Tells of the first picture since the beginning, or since a seek.
    private func tellPicture() {
        if isPictureDue.exchange(false, ordering: .relaxed) { mailbox.post(.firstFrame) }
    }

    /// What was on its way is shown to nobody.
    func flush() {
        extent.flush()
        holes.flush()
        isPictureDue.store(true, ordering: .relaxed)
    }

    func capsChanged(on pad: UnsafeMutablePointer<GstPad>) {
        guard let caps = unsafe gst_pad_get_current_caps(pad) else { return }
        defer { unsafe gst_caps_unref(caps) }
        guard let structure = unsafe gst_caps_get_structure(caps, 0) else { return }
        let reader = unsafe GStructureReader(structure)
        var format = StreamRendition()
        format.width = reader.integer("width").map { Int($0) }
        format.height = reader.integer("height").map { Int($0) }
        format.framesPerSecondMilli = reader.milli("framerate")
        state.with { $0.nextFormat = format }
        isFormatNew.store(true, ordering: .releasing)
    }

    /// Tells of another format with the first picture that has it: the sink's pad knows it while the last one is shown.
    private func tellFormat() {
        guard isFormatNew.exchange(false, ordering: .acquiring) else { return }
        if let format = state.with({ $0.nextFormat }) { mailbox.post(.videoFormat(format)) }
    }

    func elementAdded(_ element: UnsafeMutablePointer<GstElement>) {
        // Some elements are made without a factory.
        guard let factory = unsafe gst_element_get_factory(element), let name = unsafe Self.name(of: factory) else {
            return
        }
        switch name {
        case "souphttpsrc": unsafe configureSource(element)
        case "multiqueue": unsafe configureQueue(element)
        case "urisourcebin": unsafe startDecoders(beside: element)
        case "typefind": unsafe nameManifestType(element)
        case "hlsdemux2", "dashdemux2", "mssdemux2": return unsafe configureDemuxer(element)
        // The demuxer makes it as it asks for the first segment, on the thread that does so.
        case "parsebin": if let thread = DemuxerThread() { state.with { $0.scheduler = thread } }
        default: break
        }
        if unsafe gst_element_factory_list_is_type(factory, Self.demuxer) != 0 {
            unsafe connectPadFilter(to: element)
        }
        if unsafe gst_element_factory_list_is_type(factory, Self.mediaDecoder) != 0 {
            unsafe connectExtentProbe(to: element)
        }
        if unsafe gst_element_factory_list_is_type(factory, Self.videoDecoder) != 0 {
            unsafe connectLedger(to: element)
        }
    }

    /// Opens the pads of what decodes, before the source that was just added is started.
    ///
    /// GStreamer 1.22 starts the source first. On a busy machine its streaming threads then come to pads that take
    /// nothing yet, stop for good, and the item never begins.
    private func startDecoders(beside source: UnsafeMutablePointer<GstElement>) {
        guard
            let parent = unsafe gst_object_get_parent(
                UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstObject.self)
            )
        else { return }
        defer { unsafe gst_object_unref(parent) }
        let bin = unsafe UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstBin.self)
        guard let decoders = unsafe gst_bin_iterate_all_by_element_factory_name(bin, "decodebin3") else { return }
        defer { unsafe gst_iterator_free(decoders) }
        unsafe gst_iterator_foreach(decoders, Self.startDecoder, nil)
    }

    private static let startDecoder: GstIteratorForeachFunction = { item, _ in
        guard let item = unsafe item, let decoder = unsafe g_value_get_object(item) else { return }
        unsafe gst_element_set_state(decoder.assumingMemoryBound(to: GstElement.self), GST_STATE_PAUSED)
    }

    private func configureSource(_ source: UnsafeMutablePointer<GstElement>) {
        let properties = unsafe GObjectProperties(source)
        properties.set("timeout", Int64(configuration.networkTimeoutSeconds))
        properties.set("retries", Int64(configuration.networkRetries))
        if configuration.requests.isInsecure { properties.set("ssl-strict", "false") }
        OutgoingRequests.shared.hook()
        unsafe connectEndProbe(to: source)
    }

    /// Keeps the end of a short download back until its first picture is decoded, on the streaming thread.
    ///
    /// GStreamer 1.22 forgets a stream whose end comes while another one of the item is still being connected, and
    /// looks for it when it closes the item, which ends the process.
    func awaitFirstPicture() {
        for _ in 0..<60 where !prerolled.load(ordering: .relaxed) {
            if isAdaptive { return }
            usleep(5000)
        }
        usleep(50_000)
    }

    /// Says of a DASH manifest what it is.
    ///
    /// GStreamer 1.22 takes one for any XML when its first tag is longer than 512 bytes, as that of a live stream often
    /// is. What is no manifest in spite of its name is an error of the demuxer.
    private func nameManifestType(_ finder: UnsafeMutablePointer<GstElement>) {
        let path = state.with { $0.location.prefix { $0 != "?" && $0 != "#" }.lowercased() }
        guard path.hasSuffix(".mpd"), let parent = unsafe gst_object_get_parent(Self.object(finder)) else { return }
        defer { unsafe gst_object_unref(parent) }
        let bin = unsafe UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self)
        // The parts of the stream have finders of their own.
        guard let factory = unsafe gst_element_get_factory(bin),
            unsafe Self.name(of: factory) == "urisourcebin"
        else { return }
        unsafe GObjectProperties(finder).set("force-caps", "application/dash+xml")
    }

    private static func object(_ element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstObject> {
        unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
    }

    private static func name(of factory: OpaquePointer) -> String? {
        let object = unsafe UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)
        guard let name = unsafe gst_object_get_name(object) else { return nil }
        defer { unsafe g_free(name) }
        return unsafe String(cString: name)
    }

    /// A progressive item would otherwise wait until the whole buffer is full.
    private func configureQueue(_ queue: UnsafeMutablePointer<GstElement>) {
        let share = Double(configuration.resumeMs) / Double(max(configuration.bufferMs, 1))
        unsafe GObjectProperties(queue).set("high-watermark", String(min(max(share, 0.05), 1)))
    }

    private func configureDemuxer(_ element: UnsafeMutablePointer<GstElement>) {
        let properties = unsafe GObjectProperties(element)
        properties.set("max-buffering-time", configuration.bufferMs * 1_000_000)
        properties.set("high-watermark-time", configuration.resumeMs * 1_000_000)
        // GStreamer 1.22 otherwise waits for a segment and a half, for ever where no more than that is buffered.
        let enoughMs = min(configuration.resumeMs, configuration.bufferMs)
        properties.set("low-watermark-time", enoughMs * 1_000_000)
        let location = state.with { state in
            guard unsafe state.demuxer == nil else { return state.location }
            unsafe gst_object_ref(element)
            unsafe state.demuxer = element
            if let maxBitrate = state.maxBitrate { properties.set("max-bitrate", maxBitrate) }
            return state.location
        }
        unsafe connectManifestProbe(to: element)
        TransferWatch.shared?.add(id, location: location, mailbox: mailbox)
    }

    /// Leaves it to the demuxer again how much of a live stream it waits for.
    ///
    /// It looks at that anew with each playlist. At the edge there is never as much as one wants.
    func waitAsLiveStreamsDo() { withAdaptiveDemuxer { $0.set("low-watermark-time", 0) } }

    /// Follows a download that is no stream.
    func fileBytes(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        guard !isAdaptive else { return }
        let place = unsafe buffer.pointee.offset
        let known = state.with { state -> Int64? in
            let isNew = state.file.durationMs == nil
            unsafe state.file.add(Self.bytes(of: buffer)[...], at: place == .max ? nil : UInt64(place))
            return isNew ? state.file.durationMs : nil
        }
        if let known { mailbox.post(.fileAnnounced(durationMs: known)) }
    }

    func fileEnded() { if state.with({ $0.file.isCutOff }) { mailbox.post(.fileCutOff) } }

    private static func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
        let size = unsafe Int(gst_buffer_get_size(buffer))
        var bytes = [UInt8](repeating: 0, count: size)
        let copied = unsafe bytes.withUnsafeMutableBytes { target in
            unsafe gst_buffer_extract(buffer, 0, target.baseAddress, gsize(size))
        }
        return Array(bytes.prefix(Int(copied)))
    }

    func manifestBytes(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        let size = unsafe Int(gst_buffer_get_size(buffer))
        state.with { state in
            guard size > 0, state.manifest.count + size <= Self.manifestLimit else { return }
            unsafe state.manifest.append(contentsOf: Self.bytes(of: buffer))
        }
    }

    /// Takes the end of the manifest, which came from an address; says whether the demuxer is to have it.
    func manifestEnded(from address: String?) -> Bool {
        let text = String(decoding: state.with { $0.manifest.drain() }, as: UTF8.self)
        let variants = DASHManifest(text: text)?.pictures ?? MasterPlaylist(text: text).variants
        reporting?.read(manifest: text)
        if text.contains("#EXTM3U") {
            let variables = PlaylistVariables(text: text, at: state.with { $0.location })
            OutgoingRequests.shared.replace(variables) { [mailbox] name in
                let problem = "the variable {$\(name)} is defined by no playlist that the engine shows"
                mailbox.post(.openFailed(.invalidManifest, problem))
            }
        }
        if !variants.isEmpty { mailbox.post(.variants(variants)) }
        mailbox.post(.manifest(text))
        let location = state.with { $0.location }
        return TransferWatch.shared?.begin(id, manifest: text, at: address ?? location) ?? true
    }
}
