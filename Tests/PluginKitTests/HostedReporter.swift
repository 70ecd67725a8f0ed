import PluginABI
import PluginKit
import Testing

/// A reporter of a plugin file, driven through its tables.
@safe final class HostedReporter {
    let host = FakeHost()
    private let plugin: UnsafePointer<tally_plugin>
    private let arena = Arena()

    init(_ entry: UnsafePointer<tally_entry>) throws {
        let id = unsafe try #require(entry.pointee.descriptor(0)).pointee.id
        unsafe plugin = unsafe try #require(entry.pointee.create(host.raw, id, nil))
    }

    init(_ entry: UnsafePointer<tally_entry>, _ id: String) throws {
        unsafe plugin = unsafe try #require(entry.pointee.create(host.raw, id, nil))
    }

    /// What it takes at run time.
    var control: HostedControl { unsafe HostedControl(plugin) }

    deinit {
        unsafe plugin.pointee.destroy(plugin)
    }

    func start(_ configuration: String = "{}") -> tally_status {
        unsafe plugin.pointee.`init`(plugin, arena.text(configuration))
    }

    func enable() -> tally_status { unsafe plugin.pointee.enable(plugin) }

    func disable() { unsafe plugin.pointee.disable(plugin) }

    /// Which outputs it wants.
    var wants: UInt32 { table?.wants ?? 0xFFFF }

    func take(_ outputs: Outputs) -> Int64 {
        unsafe table?.take(plugin, outputs.list, UInt64(outputs.count)) ?? Int64(TALLY_ERR_UNSUPPORTED)
    }

    func flush(_ token: UInt64) {
        unsafe table?.flush(plugin, token, arena.text("run-1"), 0, 1000)
    }

    private var table: tally_reporter? {
        unsafe plugin.pointee.get_extension(plugin, TALLY_EXT_REPORTER)?.assumingMemoryBound(to: tally_reporter.self)
            .pointee
    }
}
