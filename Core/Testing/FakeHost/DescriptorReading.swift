internal import PluginABI
internal import PluginLoading

/// What a fake host has to know of the plugin that it is to make, from the plugin's descriptor.
struct DescriptorReading {
    /// The plugin's id; empty when the library has no such plugin.
    private(set) var id = ""
    private(set) var isReporter = false
    private(set) var storeKeys: [String] = []
    private(set) var wantedEvents = unsafe WantedEvents(nil)

    /// Reads the descriptor of a plugin, nil for the library's first one.
    init(_ entry: UnsafePointer<tally_entry>, plugin: String?) {
        for index in unsafe 0..<entry.pointee.count {
            guard let descriptor = unsafe entry.pointee.descriptor(entry, index) else { return }
            let id = unsafe String(cString: descriptor.pointee.id)
            guard plugin == nil || plugin == id else { continue }
            self.id = id
            isReporter = unsafe descriptor.pointee.kind == TALLY_KIND_REPORTER
            storeKeys = unsafe Self.list(descriptor.pointee.store_keys)
            wantedEvents = unsafe WantedEvents(descriptor.pointee.wanted_events)
            return
        }
    }

    private static func list(_ first: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let first = unsafe first else { return [] }
        var texts: [String] = []
        while let text = unsafe first[texts.count] {
            unsafe texts.append(String(cString: text))
        }
        return texts
    }
}
