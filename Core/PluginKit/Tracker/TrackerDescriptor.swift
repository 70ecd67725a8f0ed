public import EventModel
internal import PluginABI

extension EventType {
    /// In ``TrackerDescriptor/wantedEvents`` all types that have no number.
    public static var anyUnknown: EventType { EventType(rawValue: TALLY_EVENT_TYPE_FIRST_UNKNOWN) }
}

/// What a tracker says of itself before anything of it is made.
public struct TrackerDescriptor: Sendable {
    /// Its name for machines, in reverse-DNS form; never changed once it was released.
    public let id: String
    /// Its name for people.
    public let name: String
    /// Who makes it.
    public let vendor: String
    /// `MAJOR.MINOR.MICRO`.
    public let version: String
    /// Which build of that version it is.
    public let build: PluginBuild
    /// JSON Schema text of its configuration.
    public let configurationSchema: String
    /// Files whose content it also gets, by their paths below the folder of the host's configuration.
    ///
    /// Each is the member of its configuration that is named like the file without its ending.
    public let sharedConfiguration: [String]
    /// Keys of the persistent values that it reads and writes.
    public let storeKeys: [String]
    /// The types of the events that it is to be called with; nil for every event.
    ///
    /// ``EventType/anyUnknown`` stands for all types that have no number.
    public let wantedEvents: Set<EventType>?
    /// Whether it reacts to consent events itself, as its vendor does.
    public let handlesConsent: Bool

    /// Describes a tracker; without a schema its configuration has to be empty.
    public init(
        id: String,
        name: String,
        vendor: String,
        version: String,
        build: PluginBuild = PluginBuild(),
        configurationSchema: String = #"{"type":"object","additionalProperties":false}"#,
        sharedConfiguration: [String] = [],
        storeKeys: [String] = [],
        wantedEvents: Set<EventType>? = nil,
        handlesConsent: Bool = false
    ) {
        self.id = id
        self.name = name
        self.vendor = vendor
        self.version = version
        self.build = build
        self.configurationSchema = configurationSchema
        self.sharedConfiguration = sharedConfiguration
        self.storeKeys = storeKeys
        self.wantedEvents = wantedEvents
        self.handlesConsent = handlesConsent
    }

    /// The descriptor as the ABI has it.
    var foreign: tally_descriptor {
        // The host extensions that a TrackerHost is made of.
        let needed = [TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM] + (storeKeys.isEmpty ? [] : [TALLY_EXT_STORE])
        return unsafe tally_descriptor(
            struct_size: UInt32(MemoryLayout<tally_descriptor>.size),
            abi_minor: TALLY_ABI_MINOR,
            kind: TALLY_KIND_TRACKER,
            caps: TALLY_CAP_DETERMINISTIC | (handlesConsent ? TALLY_CAP_HANDLES_CONSENT : 0),
            id: DescriptorStorage.text(id),
            name: DescriptorStorage.text(name),
            vendor: DescriptorStorage.text(vendor),
            version: DescriptorStorage.text(version),
            config_schema: DescriptorStorage.text(configurationSchema),
            requires_extensions: DescriptorStorage.list(needed),
            shared_config: DescriptorStorage.list(sharedConfiguration),
            store_keys: DescriptorStorage.list(storeKeys),
            build: DescriptorStorage.text(build.text),
            wanted_events: wantedEvents.map { unsafe .lasting($0.map(\.rawValue).sorted() + [0]) },
            read_paths: nil,
            written_paths: nil
        )
    }
}
