import EventModel
import Glibc
import MuxData
import PluginABI
import PluginKit

/// A host around one instance of the tracker, with a player whose events are made by hand.
///
/// It keeps records, beacons and values, fires the timers, and reads no clock.
@safe final class HostedPlayer {
    /// A record of the tracker.
    struct Record {
        /// Its kind.
        let kind: String
        /// Run time, us.
        let time: Int64
        /// Its attributes.
        let values: [String: PlainValue]

        subscript(_ name: String) -> PlainValue? { values[name] }

        /// The number of an attribute, 0 when it has none.
        func int(_ name: String) -> Int64 {
            guard case .int(let number)? = values[name] else { return 0 }
            return number
        }
    }

    private(set) var records: [Record] = []
    private(set) var beacons = 0
    private(set) var stored: [String: String] = [:]
    private(set) var error = ""
    private(set) var time: Int64 = 0
    /// The player's state.
    var state = tally_state()
    /// Attributes of records that are kept; nil for all.
    var kept: Set<String>?

    /// Wall clock at time 0, ms.
    static let epoch: Int64 = 1_600_000_000_000

    private var timers: [(id: UInt64, deadline: Int64)] = []
    private var timersStarted: UInt64 = 0
    private var random: SplitMix64
    private let host: UnsafeMutablePointer<tally_host>
    private let memory: UnsafeMutableRawPointer
    private var plugin: UnsafePointer<tally_plugin>?
    private var tracker: UnsafePointer<tally_tracker>?

    /// Makes, configures and enables an instance, unless the configuration is refused.
    init(_ configuration: String = #"{"environmentKey":"hex","timeUpdates":false}"#, seed: UInt64 = 7) {
        random = SplitMix64(seed: seed)
        state.struct_size = UInt32(MemoryLayout<tally_state>.size)
        state.rate_milli = 1000
        unsafe host = .allocate(capacity: 1)
        unsafe memory = .allocate(byteCount: Limits.eventBytes, alignment: 8)
        unsafe host.initialize(to: HostedPlayerTables.host)
        unsafe host.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
        unsafe plugin = create()
        guard let plugin = unsafe plugin, unsafe configure(plugin, configuration) == TALLY_OK else { return }
        unsafe tracker = plugin.pointee.get_extension(plugin, TALLY_EXT_TRACKER)?
            .assumingMemoryBound(to: tally_tracker.self)
        _ = unsafe plugin.pointee.enable(plugin)
    }

    deinit {
        if let plugin = unsafe plugin { unsafe plugin.pointee.destroy(plugin) }
        unsafe host.deallocate()
        unsafe memory.deallocate()
    }

    private func create() -> UnsafePointer<tally_plugin>? {
        let id = unsafe strdup("com.mux.data")
        defer { unsafe free(id) }
        var run = unsafe tally_run_info()
        unsafe run.struct_size = UInt32(MemoryLayout<tally_run_info>.size)
        unsafe run.semantics = 1
        unsafe run.epoch_us = Self.epoch * 1000
        let name: StaticString = "player-one"
        unsafe run.instance = unsafe tally_str(
            ptr: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
            len: name.utf8CodeUnitCount
        )
        guard let id = unsafe id else { return nil }
        return unsafe Mux.library.entry.pointee.create(host, id, &run)
    }

    private func configure(_ plugin: UnsafePointer<tally_plugin>, _ text: String) -> tally_status {
        unsafe Self.lend(text) { unsafe plugin.pointee.`init`(plugin, $0) }
    }

    private static func lend<Result>(_ text: String, _ body: (tally_str) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in
            unsafe body(
                tally_str(
                    ptr: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    len: bytes.count
                )
            )
        }
    }

    // MARK: - Events

    /// Sends an event with the state as it is.
    func send(_ type: EventType, _ attributes: [(StaticString, PlainValue)] = [], at milliseconds: Int64? = nil) {
        if let milliseconds { wait(until: milliseconds) }
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        let block = unsafe block(type, attributes)
        if type == .sessionSnapshot {
            _ = unsafe tracker.pointee.session_begin(plugin, block)
        } else {
            _ = unsafe tracker.pointee.on_event(plugin, block)
        }
    }

    /// Ends the session.
    func endSession(_ reason: UInt32 = TALLY_END_UNLOAD) {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        unsafe withState { unsafe tracker.pointee.session_end(plugin, reason, time, $0) }
    }

    private func withState<Result>(_ body: (UnsafePointer<tally_state>) -> Result) -> Result {
        var copy = state
        return unsafe body(&copy)
    }

    private func block(_ type: EventType, _ attributes: [(StaticString, PlainValue)]) -> UnsafePointer<tally_event> {
        var writer = unsafe BlockWriter(base: memory, capacity: Limits.eventBytes)
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.session = 1
        unsafe writer.state.pointee = state
        for (name, value) in attributes {
            let text = UTF8Text(name)
            let key = AttributeNames.key(named: text)
            let flags = AttributeNames.flags(of: key)
            switch value {
            case .int(let number): _ = writer.set(key, text, flags: flags, type: TALLY_T_INT, number: number)
            case .bool(let truth): _ = writer.set(key, text, flags: flags, type: TALLY_T_BOOL, number: truth ? 1 : 0)
            case .string(var string):
                string.withUTF8 { bytes in
                    _ = unsafe writer.set(
                        key,
                        text,
                        flags: flags,
                        type: TALLY_T_STRING,
                        bytes: UnsafeRawBufferPointer(bytes)
                    )
                }
            default: preconditionFailure("attributes of this kind are not needed here")
            }
        }
        let name = UTF8Text(EventTypeNames.name(of: type) ?? "org.example.unknown")
        let size = writer.finish(type: type, name: name)
        precondition(size != nil, "the event does not fit")
        return unsafe UnsafePointer(memory.assumingMemoryBound(to: tally_event.self))
    }

    /// Lets time pass up to a time in ms, and fires what is due.
    func wait(until milliseconds: Int64) {
        let end = max(time, milliseconds * 1000)
        while let next = timers.enumerated().filter({ $0.element.deadline <= end })
            .min(by: { ($0.element.deadline, $0.element.id) < ($1.element.deadline, $1.element.id) })
        {
            timers.remove(at: next.offset)
            time = next.element.deadline
            guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
            unsafe withState { unsafe tracker.pointee.on_timer(plugin, next.element.id, time, $0) }
        }
        time = end
    }

    // MARK: - Control

    /// Gives the instance another configuration.
    func reconfigure(_ text: String) -> tally_status {
        guard let plugin = unsafe plugin,
            let table = unsafe plugin.pointee.get_extension(plugin, TALLY_EXT_CONFIGURE)?
                .assumingMemoryBound(to: tally_configure.self).pointee,
            let apply = unsafe table.apply
        else { return TALLY_ERR_UNSUPPORTED }
        return unsafe withState { state in unsafe Self.lend(text) { unsafe apply(plugin, $0, time, state) } }
    }

    /// Runs a command and gives its answer.
    func command(_ name: String, _ arguments: String = "") -> (status: tally_status, answer: String) {
        guard let plugin = unsafe plugin,
            let table = unsafe plugin.pointee.get_extension(plugin, TALLY_EXT_COMMAND)?
                .assumingMemoryBound(to: tally_command.self).pointee,
            let call = unsafe table.call
        else { return (TALLY_ERR_UNSUPPORTED, "") }
        let answer = ByteBuffer()
        var sink = unsafe tally_sink(
            ctx: Unmanaged.passUnretained(answer).toOpaque(),
            write: { sink, bytes, count in
                guard let context = unsafe sink.pointee.ctx else { return TALLY_ERR_INVALID }
                unsafe Unmanaged<ByteBuffer>.fromOpaque(context).takeUnretainedValue()
                    .append(UnsafeRawBufferPointer(start: bytes, count: count))
                return TALLY_OK
            }
        )
        let status = unsafe withState { state in
            unsafe Self.lend(name) { name in
                unsafe Self.lend(arguments) { unsafe call(plugin, name, $0, time, state, &sink) }
            }
        }
        return (status, answer.string)
    }

    // MARK: - What the tables call

    func note(error: String) { self.error = error }

    func append(_ record: tally_record) -> UInt64 {
        var values: [String: PlainValue] = [:]
        if let first = unsafe record.attrs, let heap = unsafe record.heap {
            for attribute in unsafe AttributeList(base: heap, first: first, count: Int(record.attr_count)) {
                let name = attribute.name.string
                if kept?.contains(name) ?? true { values[name] = PlainValue(attribute.value) }
            }
        }
        unsafe records.append(Record(kind: HostedPlayerTables.string(record.kind), time: time, values: values))
        return UInt64(records.count)
    }

    func takeBeacon() { beacons += 1 }

    func store(_ key: String, _ value: String) { stored[key] = value }

    func startTimer(at deadline: Int64) -> UInt64 {
        timersStarted += 1
        timers.append((timersStarted, max(deadline, time + 1000)))
        return timersStarted
    }

    func cancelTimer(_ id: UInt64) { timers.removeAll { $0.id == id } }

    func nextRandom() -> UInt64 { random.next() }

    /// The kinds of the records from an index on, without data.
    func events(from index: Int = 0) -> [String] {
        records[index...].map(\.kind).filter { !["globaldata", "data", "viewmetrics"].contains($0) }
    }
}
