import PluginABI
import PluginKit

/// A tracker that is driven through the tables that its library exports.
@safe final class HostedTracker {
    let host: FakeHost
    private let plugin: UnsafePointer<tally_plugin>
    private let arena = Arena()

    /// Makes an instance; nil when the library refuses.
    init?(
        _ entry: UnsafePointer<tally_entry>?,
        _ id: String,
        host: FakeHost,
        hostPointer: UnsafePointer<tally_host>? = nil,
        run: UnsafePointer<tally_run_info>? = nil
    ) {
        self.host = host
        var info = unsafe tally_run_info()
        unsafe info.struct_size = unsafe UInt32(MemoryLayout<tally_run_info>.size)
        unsafe info.semantics = 1
        unsafe info.player_run_id = unsafe arena.text("run-1")
        unsafe info.instance = unsafe arena.text("mine")
        unsafe info.epoch_us = 1_700_000_000_000_000
        let ownRun = unsafe UnsafePointer(arena.keep(info))
        guard let made = unsafe entry?.pointee.create(hostPointer ?? host.raw, id, run ?? ownRun) else { return nil }
        unsafe plugin = unsafe made
    }

    deinit {
        unsafe plugin.pointee.destroy(plugin)
    }

    func start(_ configuration: String = "{}") -> tally_status {
        unsafe plugin.pointee.`init`(plugin, arena.text(configuration))
    }

    func enable() -> tally_status { unsafe plugin.pointee.enable(plugin) }

    func disable() { unsafe plugin.pointee.disable(plugin) }

    /// What it takes at run time.
    var control: HostedControl { unsafe HostedControl(plugin) }

    /// Whether an extension is offered.
    func offers(_ id: String) -> Bool { unsafe plugin.pointee.get_extension(plugin, id) != nil }

    func sessionBegin(_ snapshot: TestBlock) -> tally_status {
        unsafe table?.session_begin(plugin, snapshot.event) ?? TALLY_ERR_UNSUPPORTED
    }

    func handle(_ event: TestBlock) -> tally_status {
        unsafe table?.on_event(plugin, event.event) ?? TALLY_ERR_UNSUPPORTED
    }

    func fire(_ timer: FakeHost.Timer, _ block: TestBlock = TestBlock(.playheadSample)) {
        unsafe table?.on_timer(plugin, timer.id, timer.deadline, block.state)
    }

    func sessionEnd(_ reason: UInt32 = TALLY_END_UNLOAD, _ block: TestBlock) {
        unsafe table?.session_end(plugin, reason, block.event.pointee.time_us, block.state)
    }

    private var table: tally_tracker? {
        unsafe plugin.pointee.get_extension(plugin, TALLY_EXT_TRACKER)?.assumingMemoryBound(to: tally_tracker.self)
            .pointee
    }
}
