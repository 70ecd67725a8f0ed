internal import CTally
internal import Glibc

/// What a track call through the C library costs its caller: the same calls as ``TrackCallRound`` makes in Swift.
///
/// The library is loaded as players load it; its run has no trackers, reporters or archive either.
enum LibraryCallRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let words = TrackCallPayload.allCases.map(\.rawValue)
        let word = try arguments.word("--variant", of: words, or: words[0])
        let calls = try arguments.number("--calls", or: 200_000)
        let folder = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        let payload = TrackCallPayload(rawValue: word) ?? .oneString
        let library = try LoadedTally(folder + "/libtally.so")
        let run = unsafe try library.startRun()
        let attributes = LentAttributes(payload)
        if payload == .stateAndTwenty { unsafe library.setState(run, &attributes.state) }
        var nanoseconds: [Double] = []
        var refused = 0
        for number in 0..<(max(2, calls / TrackCallRound.burst) + 10) {
            TrackCallRound.drain()
            let begin = Stopwatch.wall()
            for _ in 0..<TrackCallRound.burst
            where unsafe library.track(run, "custom", attributes.list, attributes.count) != 0 {
                refused += 1
            }
            let end = Stopwatch.wall()
            if number >= 10 { nanoseconds.append(Double(end - begin) / Double(TrackCallRound.burst)) }
        }
        unsafe library.free(run)
        guard refused == 0 else { throw .invalidRound("the queue refused \(refused) calls") }
        let samples = Samples(nanoseconds)
        Figure("track/library/\(payload.rawValue)", samples.median, "ns/call").printLine()
    }
}

/// The functions of the library that are measured.
@safe private struct LoadedTally {
    typealias Track =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<tally_attribute>?, Int) -> Int32
    typealias SetState = @convention(c) (OpaquePointer?, UnsafePointer<tally_player_state>?) -> Void
    typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Open =
        @convention(c) (UnsafePointer<tally_options>?, UnsafeMutablePointer<tally_error>?) -> OpaquePointer?
    private typealias Start =
        @convention(c) (OpaquePointer?, UnsafePointer<tally_run_options>?, UnsafeMutablePointer<tally_error>?) ->
        OpaquePointer?

    let track: Track
    let setState: SetState
    let free: Free
    private let open: Open
    private let start: Start

    init(_ path: String) throws(BenchError) {
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw .refused("\(path) cannot be loaded: \(unsafe dlerror().map { unsafe String(cString: $0) } ?? "")")
        }
        func function<Function>(_ name: String) throws(BenchError) -> Function {
            guard let symbol = unsafe dlsym(handle, name) else { throw .refused("\(path) has no \(name)") }
            return unsafe unsafeBitCast(symbol, to: Function.self)
        }
        unsafe track = try function("tally_track")
        unsafe setState = try function("tally_run_set_state")
        unsafe free = try function("tally_run_free")
        unsafe open = try function("tally_open")
        unsafe start = try function("tally_run_start")
    }

    /// Begins a run in the midst of a session; what runs are told is not kept, as in the other round.
    func startRun() throws(BenchError) -> OpaquePointer {
        var error = tally_error()
        error.size = UInt32(MemoryLayout<tally_error>.size)
        var options = unsafe tally_options()
        unsafe options.size = UInt32(MemoryLayout<tally_options>.size)
        let setting = unsafe strdup("keptMebibytes=0")
        var settings: [UnsafePointer<CChar>?] = unsafe [UnsafePointer(setting)]
        let run = unsafe settings.withUnsafeMutableBufferPointer { settings -> OpaquePointer? in
            unsafe options.settings = UnsafePointer(settings.baseAddress)
            unsafe options.setting_count = 1
            guard let telemetry = unsafe open(&options, &error) else { return nil }
            return unsafe start(telemetry, nil, &error)
        }
        guard let run = unsafe run else { throw .refused("the library cannot be opened: error \(error.code)") }
        for event in ["video_load", "play", "first_frame"] { _ = unsafe track(run, event, nil, 0) }
        return unsafe run
    }
}

/// The payload as C hands it over.
@safe private final class LentAttributes {
    private(set) var list: UnsafeMutablePointer<tally_attribute>
    private(set) var count = 0
    var state = tally_player_state()

    init(_ payload: TrackCallPayload) {
        unsafe list = .allocate(capacity: 20)
        add("custom_name", text: TrackCallPayload.text)
        state.size = UInt32(MemoryLayout<tally_player_state>.size)
        guard payload == .stateAndTwenty else { return }
        for (name, text) in TrackCallPayload.texts { add(name, text: text) }
        for (name, number) in TrackCallPayload.numbers { add(name, number: number) }
        state.known = UInt32(TALLY_HAS_ALL)
        (state.playhead_ms, state.duration_ms) = (63_250, 2_580_000)
        (state.bitrate, state.throughput, state.dropped_frames, state.rendered_frames) = (
            4_500_000, 9_000_000, 3, 1_581
        )
        (state.rate, state.volume, state.frame_rate) = (1, 0.8, 25)
        (state.width, state.height, state.player_width, state.player_height) = (1_920, 1_080, 1_280, 720)
    }

    private func add(_ name: String, text: String) {
        var attribute = unsafe tally_attribute()
        unsafe attribute.name = unsafe UnsafePointer(strdup(name))
        unsafe attribute.kind = TALLY_VALUE_TEXT.rawValue
        unsafe attribute.value.text = unsafe UnsafePointer(strdup(text))
        unsafe append(attribute)
    }

    private func add(_ name: String, number: Int64) {
        var attribute = unsafe tally_attribute()
        unsafe attribute.name = unsafe UnsafePointer(strdup(name))
        unsafe attribute.kind = TALLY_VALUE_INTEGER.rawValue
        unsafe attribute.value.integer = number
        unsafe append(attribute)
    }

    private func append(_ attribute: tally_attribute) {
        unsafe (list + count).initialize(to: attribute)
        count += 1
    }
}
