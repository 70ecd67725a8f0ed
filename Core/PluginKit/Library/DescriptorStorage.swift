internal import PluginABI

/// Descriptors as C reads them; they live as long as the process, as the ABI wants it.
@safe enum DescriptorStorage {
    /// The descriptor of a tracker.
    static func make(_ descriptor: TrackerDescriptor) -> UnsafePointer<tally_descriptor> {
        unsafe keep(
            tally_descriptor(
                struct_size: UInt32(MemoryLayout<tally_descriptor>.size),
                abi_minor: TALLY_ABI_MINOR,
                kind: TALLY_KIND_TRACKER,
                caps: TALLY_CAP_DETERMINISTIC | (descriptor.handlesConsent ? TALLY_CAP_HANDLES_CONSENT : 0),
                id: text(descriptor.id),
                name: text(descriptor.name),
                vendor: text(descriptor.vendor),
                version: text(descriptor.version),
                config_schema: text(descriptor.configurationSchema),
                requires_extensions: list(descriptor.requiredExtensions),
                shared_config: list(descriptor.sharedConfiguration),
                store_keys: list(descriptor.storeKeys),
                build: text(descriptor.build.text)
            )
        )
    }

    /// The descriptor of a reporter.
    static func make(_ descriptor: ReporterDescriptor) -> UnsafePointer<tally_descriptor> {
        unsafe keep(
            tally_descriptor(
                struct_size: UInt32(MemoryLayout<tally_descriptor>.size),
                abi_minor: TALLY_ABI_MINOR,
                kind: TALLY_KIND_REPORTER,
                caps: descriptor.traits.rawValue,
                id: text(descriptor.id),
                name: text(descriptor.name),
                vendor: text(descriptor.vendor),
                version: text(descriptor.version),
                config_schema: text(descriptor.configurationSchema),
                requires_extensions: list([TALLY_EXT_HOST_REPORTER]),
                shared_config: nil,
                store_keys: nil,
                build: text(descriptor.build.text)
            )
        )
    }

    private static func keep(_ descriptor: tally_descriptor) -> UnsafePointer<tally_descriptor> {
        let memory = UnsafeMutablePointer<tally_descriptor>.allocate(capacity: 1)
        unsafe memory.initialize(to: descriptor)
        return unsafe UnsafePointer(memory)
    }

    /// A terminated copy of a text.
    private static func text(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        unsafe bytes.withUnsafeBufferPointer {
            unsafe memory.initialize(from: $0.baseAddress ?? UnsafePointer(memory), count: $0.count)
        }
        return unsafe UnsafePointer(memory)
    }

    /// A terminated list of texts, nil when there are none.
    private static func list(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
        if texts.isEmpty { return nil }
        let memory = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count + 1)
        for (index, entry) in texts.enumerated() {
            unsafe (memory + index).initialize(to: text(entry))
        }
        unsafe (memory + texts.count).initialize(to: nil)
        return unsafe UnsafePointer(memory)
    }
}
