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

    /// The host extensions that ``TrackerHost`` is made of.
    var requiredExtensions: [String] {
        [TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM] + (storeKeys.isEmpty ? [] : [TALLY_EXT_STORE])
    }
}
