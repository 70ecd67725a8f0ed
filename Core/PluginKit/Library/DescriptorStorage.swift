internal import BuildCommit
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
                build: text(descriptor.build.text),
                wanted_events: list(descriptor.wantedEvents),
                read_paths: nil,
                written_paths: nil
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
                build: text(descriptor.build.text),
                wanted_events: nil,
                read_paths: list(descriptor.readPaths),
                written_paths: list(descriptor.writtenPaths)
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

    /// A terminated list of event types, nil for every event.
    private static func list(_ types: Set<EventType>?) -> UnsafePointer<UInt32>? {
        guard let types else { return nil }
        let numbers = types.map(\.rawValue).sorted() + [0]
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: numbers.count)
        unsafe memory.initialize(from: numbers, count: numbers.count)
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

/// Which build of a version a plugin is: what stands behind `MAJOR.MINOR.MICRO` in the version in full.
public struct PluginBuild: Sendable, Equatable {
    /// Rises with each fix that changes nothing else; 0 when the version is new.
    public let patch: Int
    /// The first seven hexadecimal digits of the commit that the plugin was built from.
    public let commit: String

    /// Names a build; zeros stand for a commit that is not known.
    public init(patch: Int = 0, commit: String = "0000000") {
        self.patch = patch
        self.commit = commit
    }

    /// The build of a plugin that is a part of Tally itself.
    package static func tally(patch: Int = 0) -> PluginBuild {
        PluginBuild(patch: patch, commit: unsafe String(cString: tally_build_commit()))
    }

    /// As the descriptor has it: `PATCH-COMMIT`.
    var text: String { "\(patch)-\(commit)" }
}
