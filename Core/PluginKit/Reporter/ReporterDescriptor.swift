/// What a reporter says of itself before anything of it is made.
public struct ReporterDescriptor: Sendable {
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
    /// What it does besides taking outputs.
    public let traits: Traits

    /// What a reporter does besides taking outputs.
    public struct Traits: OptionSet, Sendable {
        /// Bits `TALLY_CAP_...`.
        public let rawValue: UInt32

        /// Takes bits `TALLY_CAP_...`.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// It has threads of its own.
        public static let ownThreads = Traits(rawValue: 0x2)
        /// It uses the network.
        public static let network = Traits(rawValue: 0x4)
        /// It keeps what it took on disk: a full queue waits for it.
        public static let spills = Traits(rawValue: 0x10)
    }

    /// Describes a reporter; without a schema its configuration has to be empty.
    public init(
        id: String,
        name: String,
        vendor: String,
        version: String,
        build: PluginBuild = PluginBuild(),
        configurationSchema: String = #"{"type":"object","additionalProperties":false}"#,
        traits: Traits = []
    ) {
        self.id = id
        self.name = name
        self.vendor = vendor
        self.version = version
        self.build = build
        self.configurationSchema = configurationSchema
        self.traits = traits
    }
}
