internal import PluginABI

extension PluginDescription {
    /// Host extensions that a tracker may require.
    private static let trackerExtensions = [
        TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM, TALLY_EXT_STORE,
    ]
    /// Host extensions that a reporter may require.
    private static let reporterExtensions = [TALLY_EXT_HOST_REPORTER]

    /// Copies a descriptor and checks it.
    init(_ pointer: UnsafePointer<tally_descriptor>, path: String, digest: FileDigest) throws(PluginError) {
        let raw = unsafe try PluginDescription.structure.copy(pointer, of: path).get()
        id = unsafe String(cString: raw.id)
        name = unsafe String(cString: raw.name)
        vendor = unsafe String(cString: raw.vendor)
        version = unsafe String(cString: raw.version)
        configurationSchema = unsafe raw.config_schema.map { unsafe String(cString: $0) }
        self.path = path
        self.digest = digest
        handlesConsent = unsafe raw.caps & TALLY_CAP_HANDLES_CONSENT != 0
        spills = unsafe raw.caps & TALLY_CAP_SPILLS != 0
        sharedConfiguration = unsafe PluginDescription.list(raw.shared_config)
        storeKeys = unsafe PluginDescription.list(raw.store_keys)
        wantedEvents = unsafe WantedEvents(raw.wanted_events)
        machineUse = unsafe MachineUse(
            capabilities: raw.caps,
            readPaths: PluginDescription.list(raw.read_paths),
            writtenPaths: PluginDescription.list(raw.written_paths)
        )
        guard PluginDescription.isReverseDNS(id) else {
            throw .invalid(path: path, reason: "the id \"\(id)\" is not reverse-DNS such as org.example.name")
        }
        let unknown = VersionInformation.unknownBuild
        guard VersionInformation(version: version, build: unknown) != nil else {
            throw .invalid(path: path, reason: "\(id): the version \"\(version)\" is not MAJOR.MINOR.MICRO")
        }
        let build = unsafe raw.build.map { unsafe String(cString: $0) } ?? unknown
        guard let fullVersion = VersionInformation(version: version, build: build) else {
            throw .invalid(path: path, reason: "\(id): the build \"\(build)\" is not PATCH-COMMIT such as 0-3a4f2c1")
        }
        self.fullVersion = fullVersion
        switch unsafe raw.kind {
        case TALLY_KIND_TRACKER: kind = .tracker
        case TALLY_KIND_REPORTER: kind = .reporter
        default: throw .invalid(path: path, reason: unsafe "\(id): the kind \(raw.kind) is unknown")
        }
        guard unsafe kind == .reporter || raw.caps & TALLY_CAP_DETERMINISTIC != 0 else {
            throw .invalid(path: path, reason: "\(id): a tracker has to declare TALLY_CAP_DETERMINISTIC")
        }
        let offered = kind == .tracker ? PluginDescription.trackerExtensions : PluginDescription.reporterExtensions
        for needed in unsafe PluginDescription.list(raw.requires_extensions) where !offered.contains(needed) {
            throw .missingExtension(path: path, id: id, extensionID: needed)
        }
    }

    /// What a descriptor has to have.
    nonisolated(unsafe) private static let structure = unsafe ForeignStructure<tally_descriptor>(
        "tally_descriptor",
        minimum: MemoryLayout<tally_descriptor>.offset(of: \.config_schema) ?? 0,
        required: ["id": \.id, "name": \.name, "vendor": \.vendor, "version": \.version],
        zero: none
    )

    /// A descriptor that stands for bytes that a plugin did not give.
    private static var none: tally_descriptor {
        let nothing = StaticString("")
        let empty = unsafe UnsafeRawPointer(nothing.utf8Start).assumingMemoryBound(to: CChar.self)
        return unsafe tally_descriptor(
            struct_size: 0,
            abi_minor: 0,
            kind: 0,
            caps: 0,
            id: empty,
            name: empty,
            vendor: empty,
            version: empty,
            config_schema: nil,
            requires_extensions: nil,
            shared_config: nil,
            store_keys: nil,
            build: nil,
            wanted_events: nil,
            read_paths: nil,
            written_paths: nil
        )
    }

    private static func list(_ pointer: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard var next = unsafe pointer else { return [] }
        var texts: [String] = []
        while let text = unsafe next.pointee, texts.count < 64 {
            unsafe texts.append(String(cString: text))
            unsafe next += 1
        }
        return texts
    }

    private static func isReverseDNS(_ id: String) -> Bool {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        let legal = id.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
        }
        return legal && parts.count >= 2 && parts.allSatisfy { !$0.isEmpty } && id.utf8.count <= 255
    }
}
