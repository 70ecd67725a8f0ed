internal import PluginABI

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
    /// Members of its configuration that hold paths of files and folders which it only reads.
    ///
    /// A host that confines a reporter allows these paths, the written ones and what the traits say, and nothing else.
    /// A member of a nested object is named with dots, and `*` stands for each of its members.
    public let readPaths: [String]
    /// Members of its configuration that hold paths of files and folders which it writes.
    public let writtenPaths: [String]

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
        /// It connects to other machines.
        public static let network = Traits(rawValue: 0x4)
        /// It keeps what it took on disk: a full queue waits for it.
        public static let spills = Traits(rawValue: 0x10)
        /// It waits for connections of others.
        public static let listens = Traits(rawValue: 0x20)
        /// Its instances share something of the library, so they have to be in one process.
        public static let sharesState = Traits(rawValue: 0x40)
        /// It writes to standard output or standard error.
        public static let streams = Traits(rawValue: 0x80)
    }

    /// Describes a reporter; without a schema its configuration has to be empty.
    public init(
        id: String,
        name: String,
        vendor: String,
        version: String,
        build: PluginBuild = PluginBuild(),
        configurationSchema: String = #"{"type":"object","additionalProperties":false}"#,
        traits: Traits = [],
        readPaths: [String] = [],
        writtenPaths: [String] = []
    ) {
        self.id = id
        self.name = name
        self.vendor = vendor
        self.version = version
        self.build = build
        self.configurationSchema = configurationSchema
        self.traits = traits
        self.readPaths = readPaths
        self.writtenPaths = writtenPaths
    }

    /// The descriptor as the ABI has it.
    var foreign: tally_descriptor {
        unsafe tally_descriptor(
            struct_size: UInt32(MemoryLayout<tally_descriptor>.size),
            abi_minor: TALLY_ABI_MINOR,
            kind: TALLY_KIND_REPORTER,
            caps: traits.rawValue,
            id: DescriptorStorage.text(id),
            name: DescriptorStorage.text(name),
            vendor: DescriptorStorage.text(vendor),
            version: DescriptorStorage.text(version),
            config_schema: DescriptorStorage.text(configurationSchema),
            requires_extensions: DescriptorStorage.list([TALLY_EXT_HOST_REPORTER]),
            shared_config: nil,
            store_keys: nil,
            build: DescriptorStorage.text(build.text),
            wanted_events: nil,
            read_paths: DescriptorStorage.list(readPaths),
            written_paths: DescriptorStorage.list(writtenPaths)
        )
    }
}
