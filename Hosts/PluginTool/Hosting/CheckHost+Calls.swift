internal import CPluginTool
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import TallyTesting
internal import TextEncoding

// The calls that a host makes, each in the form that the headers have it.
extension CheckHost {
    /// Memory that is lent for one call: the bytes, filled with others behind the call when the host overwrites.
    private func lend<Result>(_ bytes: [UInt8], _ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        let fenced = unsafe lendsBeforeGap && !bytes.isEmpty ? tally_tool_memory_before_gap(bytes.count) : nil
        let memory = unsafe fenced ?? .allocate(byteCount: max(bytes.count, 8), alignment: 8)
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        let result = unsafe body(memory)
        if unsafe givesBack && fenced == nil { unsafe memory.deallocate() }
        if overwrites { unsafe memory.initializeMemory(as: UInt8.self, repeating: 0x5A, count: bytes.count) }
        return result
    }

    private func lend<Result>(text: String, _ body: (tally_str) -> Result) -> Result {
        unsafe lend(Array(text.utf8)) { memory in
            unsafe body(tally_str(ptr: memory.assumingMemoryBound(to: CChar.self), len: text.utf8.count))
        }
    }

    // MARK: - Life cycle

    /// Makes the instance, also of an id that is not the plugin's.
    @discardableResult
    func create(id other: String? = nil) -> Bool {
        let id = Array((other ?? id).utf8) + [0]
        let made = unsafe lend(id) { id -> UnsafePointer<tally_plugin>? in
            let id = unsafe id.assumingMemoryBound(to: CChar.self)
            guard !isReporter else {
                return unsafe calling("create", serving: false) {
                    unsafe entry.pointee.create(entry, UnsafePointer(structure), id, nil)
                }
            }
            return unsafe lend(text: runID) { runID in
                unsafe lend(text: instance) { instance in
                    var run = unsafe tally_run_info(
                        struct_size: UInt32(MemoryLayout<tally_run_info>.size),
                        semantics: 1,
                        player_run_id: runID,
                        instance: instance,
                        epoch_us: 1_700_000_000_000_000,
                        stored: nil
                    )
                    return unsafe calling("create", serving: false) {
                        unsafe entry.pointee.create(entry, UnsafePointer(structure), id, &run)
                    }
                }
            }
        }
        if other == nil { unsafe plugin = unsafe made }
        return unsafe made != nil
    }

    /// Gives the instance its configuration.
    func initialize(_ configuration: String) -> tally_status {
        guard let plugin = unsafe plugin else { return TALLY_ERR_STATE }
        return unsafe lend(text: configuration) { text in
            calling("init", serving: false) { unsafe plugin.pointee.`init`(plugin, text) }
        }
    }

    /// Enables the instance.
    func enable() -> tally_status {
        guard let plugin = unsafe plugin else { return TALLY_ERR_STATE }
        return calling("enable", serving: true) { unsafe plugin.pointee.enable(plugin) }
    }

    /// Disables the instance, whose timers are gone then.
    func disable() {
        guard let plugin = unsafe plugin else { return }
        calling("disable", serving: false) { unsafe plugin.pointee.disable(plugin) }
        timers.cancelAll()
    }

    /// Destroys the instance.
    func destroy() {
        guard let plugin = unsafe plugin else { return }
        unsafe self.plugin = nil
        calling("destroy", serving: false) { unsafe plugin.pointee.destroy(plugin) }
    }

    /// The instance's table of an extension.
    func table<Table>(_ id: String, _ type: Table.Type) -> UnsafePointer<Table>? {
        guard let plugin = unsafe plugin else { return nil }
        return unsafe calling("get_extension", serving: false) { unsafe plugin.pointee.get_extension(plugin, id) }?
            .assumingMemoryBound(to: type)
    }

    // MARK: - Trackers

    /// Begins a session.
    func begin(_ event: EventBytes) -> tally_status {
        sessionCount += 1
        session = sessionCount
        random = SplitMix64(seed: UInt64(session))
        return unsafe lend(event, "session_begin") { unsafe $0.pointee.session_begin($1, $2) }
    }

    /// Sends an event.
    func send(_ event: EventBytes) -> tally_status {
        unsafe lend(event, "on_event") { unsafe $0.pointee.on_event($1, $2) }
    }

    private func lend(
        _ event: EventBytes,
        _ call: String,
        _ body: (UnsafePointer<tally_tracker>, UnsafePointer<tally_plugin>, UnsafePointer<tally_event>) -> tally_status
    ) -> tally_status {
        guard let plugin = unsafe plugin, let tracker = unsafe table(TALLY_EXT_TRACKER, tally_tracker.self) else {
            return TALLY_ERR_STATE
        }
        var event = event
        if growsEvents { event.grow() }
        return unsafe lend(event.bytes) { memory in
            let status = calling(call, serving: true) {
                unsafe body(tracker, plugin, UnsafePointer(memory.assumingMemoryBound(to: tally_event.self)))
            }
            if unsafe memcmp(memory, event.bytes, event.bytes.count) != 0 {
                changedEvents.append("\(call) of \(event.name)")
            }
            return status
        }
    }

    /// Ends the session, whose timers are gone then.
    func end(_ reason: UInt32) {
        unsafe withState { state in
            guard let plugin = unsafe plugin, let tracker = unsafe table(TALLY_EXT_TRACKER, tally_tracker.self) else {
                return
            }
            hearing("session_end") { unsafe tracker.pointee.session_end(plugin, reason, time, state) }
        }
        timers.cancelSession()
        session = 0
    }

    /// Makes a call that returns nothing: what the plugin explains in it is the error itself.
    private func hearing(_ name: String, _ body: () -> Void) {
        let known = faults.count
        calling(name, serving: true, body)
        unreturned += faults[known...].map { "\(name) explains an error: \($0)" }
    }

    /// Lets a timer fire, whether there is one of that number or not.
    func fire(_ timer: UInt64, at deadline: Int64) {
        unsafe withState { state in
            guard let plugin = unsafe plugin, let tracker = unsafe table(TALLY_EXT_TRACKER, tally_tracker.self) else {
                return
            }
            hearing("on_timer") { unsafe tracker.pointee.on_timer(plugin, timer, deadline, state) }
        }
    }

    /// Lets time pass, and fires what is due.
    func advance(to end: Int64) {
        while startedTimers < Self.mostTimers, let due = timers.remove(dueAt: end) {
            time = max(time, due.deadline)
            fire(due.id, at: due.deadline)
        }
        time = max(time, end)
    }

    /// Lends the state of the player for one call.
    private func withState(_ body: (UnsafePointer<tally_state>) -> Void) {
        var state = player.state
        let bytes = unsafe withUnsafeBytes(of: &state) { unsafe Array($0) }
        unsafe lend(bytes) { memory in unsafe body(UnsafePointer(memory.assumingMemoryBound(to: tally_state.self))) }
    }

    // MARK: - Control

    /// Gives the instance another configuration; nil when it takes none.
    func configure(_ configuration: String) -> tally_status? {
        guard let plugin = unsafe plugin, let table = unsafe table(TALLY_EXT_CONFIGURE, tally_configure.self) else {
            return nil
        }
        var status = TALLY_OK
        unsafe withState { state in
            status = unsafe lend(text: configuration) { text in
                calling("configure", serving: !isReporter) {
                    unsafe table.pointee.configure(plugin, text, isReporter ? 0 : time, isReporter ? nil : state)
                }
            }
        }
        return status
    }

    /// Gives the instance a command; nil when it takes none.
    func command(_ name: String, _ arguments: String = "{}") -> tally_status? {
        guard let plugin = unsafe plugin, let table = unsafe table(TALLY_EXT_COMMAND, tally_command.self) else {
            return nil
        }
        var status = TALLY_OK
        var sink = unsafe tally_sink(ctx: nil) { _, _, _ in TALLY_OK }
        unsafe withState { state in
            status = unsafe lend(text: name) { name in
                unsafe lend(text: arguments) { arguments in
                    calling("run", serving: !isReporter) {
                        unsafe table.pointee.run(
                            plugin,
                            name,
                            arguments,
                            isReporter ? 0 : time,
                            isReporter ? nil : state,
                            &sink
                        )
                    }
                }
            }
        }
        return status
    }

    // MARK: - Reporters

    /// Hands a reporter those of some outputs that it wants; how many it took.
    func take(_ outputs: ReporterOutputs) -> Int64 {
        guard let plugin = unsafe plugin, let reporter = unsafe table(TALLY_EXT_REPORTER, tally_reporter.self) else {
            return Int64(TALLY_ERR_STATE)
        }
        let wants = unsafe reporter.pointee.wants & ~TALLY_WANTS_RECOVERED
        let all = unsafe UnsafeBufferPointer(start: outputs.list, count: outputs.count)
        let wanted = unsafe all.filter { output in
            let kind = unsafe output.pointee.what
            return wants == 0 || (kind < 32 && wants & 1 << kind != 0)
        }
        return unsafe wanted.withUnsafeBufferPointer { list in
            // None is a list, too.
            let start = unsafe list.baseAddress ?? outputs.list
            return calling("take", serving: false) { unsafe reporter.pointee.take(plugin, start, UInt64(list.count)) }
        }
    }

    /// Asks a reporter to deliver what it took.
    func flush(token: UInt64, session: UInt32 = 0, budget: Int64 = 200) {
        guard let plugin = unsafe plugin, let reporter = unsafe table(TALLY_EXT_REPORTER, tally_reporter.self) else {
            return
        }
        unsafe lend(text: runID) { run in
            calling("flush", serving: false) {
                unsafe reporter.pointee.flush(plugin, token, run, session, budget)
            }
        }
    }
}
