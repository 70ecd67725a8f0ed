import Glibc
import NewRelicCustomTracker
import NewRelicVideo
import PluginABI
import PluginKit

/// A host around one instance of the plugin: it keeps the records, fires the timers, and reads no clock.
@safe final class RecordingHost {
    private(set) var events: [RecordedEvent] = []
    private(set) var beacons: [RecordedBeacon] = []
    private(set) var lastError = ""
    private(set) var time: Int64 = 0
    var player = SimulatedPlayer()

    static let epochMicroseconds: Int64 = 1_600_000_000_000_000

    private static let library = PluginLibrary(trackers: [NewRelicVideoTracker.self, AudioBookTracker.self])
    private let id: String

    private var timers: [(id: UInt64, deadline: Int64, scope: UInt32)] = []
    private var timersStarted: UInt64 = 0
    private var random: SplitMix64
    private let host: UnsafeMutablePointer<tally_host>
    private let state: UnsafeMutablePointer<tally_state>
    private var plugin: UnsafePointer<tally_plugin>?
    private var tracker: UnsafePointer<tally_tracker>?

    /// Makes, configures and enables an instance, unless the configuration is refused.
    init(configuration: String = "{}", seed: UInt64 = 7, plugin id: String = "com.newrelic.video") {
        self.id = id
        random = SplitMix64(seed: seed)
        unsafe host = .allocate(capacity: 1)
        unsafe state = .allocate(capacity: 1)
        unsafe host.initialize(to: HostTables.host)
        unsafe host.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
        unsafe plugin = create()
        guard let plugin = unsafe plugin else { return }
        var text = configuration
        let status = text.withUTF8 { bytes in
            unsafe plugin.pointee.`init`(
                plugin,
                tally_str(
                    ptr: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    len: bytes.count
                )
            )
        }
        guard status == TALLY_OK else { return }
        unsafe tracker = plugin.pointee.get_extension(plugin, TALLY_EXT_TRACKER)?
            .assumingMemoryBound(to: tally_tracker.self)
        enable()
    }

    deinit {
        if let plugin = unsafe plugin {
            unsafe plugin.pointee.destroy(plugin)
        }
        unsafe host.deallocate()
        unsafe state.deallocate()
    }

    private func create() -> UnsafePointer<tally_plugin>? {
        let id = unsafe strdup(id)
        defer { unsafe free(id) }
        var run = unsafe tally_run_info()
        unsafe run.struct_size = UInt32(MemoryLayout<tally_run_info>.size)
        unsafe run.semantics = 1
        unsafe run.epoch_us = Self.epochMicroseconds
        guard let id = unsafe id else { return nil }
        let entry = unsafe Self.library.entry
        return unsafe entry.pointee.create(host, id, &run)
    }

    // MARK: - Life cycle

    func enable() {
        guard let plugin = unsafe plugin else { return }
        _ = unsafe plugin.pointee.enable(plugin)
    }

    func disable() {
        guard let plugin = unsafe plugin else { return }
        unsafe plugin.pointee.disable(plugin)
        timers = []
    }

    func beginSession(_ attributes: [(String, PlainValue)] = []) {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        let block = EventBlock(.sessionSnapshot, at: time, player: player, attributes: attributes)
        _ = unsafe tracker.pointee.session_begin(plugin, block.raw)
    }

    func endSession(_ reason: UInt32 = TALLY_END_UNLOAD) {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        unsafe player.write(to: state)
        unsafe tracker.pointee.session_end(plugin, reason, time, state)
        timers.removeAll { $0.scope == TALLY_TIMER_SESSION }
    }

    @discardableResult
    func send(_ type: EventType, _ attributes: [(String, PlainValue)] = []) -> tally_status {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return TALLY_ERR_STATE }
        let block = EventBlock(type, at: time, player: player, attributes: attributes)
        return unsafe tracker.pointee.on_event(plugin, block.raw)
    }

    /// Runs a command; nil when it is refused, and then ``lastError`` says why.
    @discardableResult
    func command(_ name: String, _ arguments: JSONValue = .object([:])) throws -> JSONValue? {
        guard let plugin = unsafe plugin, let table = unsafe plugin.pointee.get_extension(plugin, TALLY_EXT_COMMAND)
        else { return Optional<JSONValue>.none }
        let commands = unsafe table.assumingMemoryBound(to: tally_command.self)
        unsafe player.write(to: state)
        let answer = ByteBuffer()
        var sink = unsafe tally_sink(
            ctx: Unmanaged.passUnretained(answer).toOpaque(),
            write: { sink, bytes, count in
                guard let data = unsafe sink.pointee.ctx else { return TALLY_ERR_STATE }
                let answer = unsafe Unmanaged<ByteBuffer>.fromOpaque(data).takeUnretainedValue()
                unsafe answer.append(UnsafeRawBufferPointer(start: bytes, count: count))
                return TALLY_OK
            }
        )
        var name = name
        var text = arguments.canonicalText
        let status = name.withUTF8 { name in
            text.withUTF8 { text in
                unsafe commands.pointee.call?(plugin, Self.lend(name), Self.lend(text), time, state, &sink)
            }
        }
        // A literal nil would be the value null.
        guard status == TALLY_OK else { return Optional<JSONValue>.none }
        return try JSONParser().parse(answer.string)
    }

    /// Whether a command is refused.
    func refuses(_ name: String, _ arguments: JSONValue = .object([:])) throws -> Bool {
        if case .none = try command(name, arguments) { true } else { false }
    }

    private static func lend(_ bytes: UnsafeBufferPointer<UInt8>) -> tally_str {
        unsafe tally_str(
            ptr: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
            len: bytes.count
        )
    }

    /// Lets time pass, in ms, and fires what is due.
    func wait(_ milliseconds: Int64) {
        let end = time + milliseconds * 1000
        while let next = timers.enumerated().filter({ $0.element.deadline <= end })
            .min(by: { ($0.element.deadline, $0.element.id) < ($1.element.deadline, $1.element.id) })
        {
            timers.remove(at: next.offset)
            time = next.element.deadline
            fire(next.element.id)
        }
        time = end
    }

    private func fire(_ id: UInt64) {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        unsafe player.write(to: state)
        unsafe tracker.pointee.on_timer(plugin, id, time, state)
    }

    // MARK: - What the tables call

    var isTimerRunning: Bool { !timers.isEmpty }

    func note(error: String) { lastError = error }

    func append(_ beacon: RecordedBeacon) { beacons.append(beacon) }

    func append(_ event: RecordedEvent) -> UInt64 {
        events.append(event)
        return UInt64(events.count)
    }

    func startTimer(at deadline: Int64, scope: UInt32) -> UInt64 {
        timersStarted += 1
        timers.append((timersStarted, max(deadline, time + 1000), scope))
        return timersStarted
    }

    func cancelTimer(_ id: UInt64) {
        timers.removeAll { $0.id == id }
    }

    func nextRandom() -> UInt64 { random.next() }
}
