internal import PluginABI

/// What a plugin says of itself, copied out of its library.
public struct PluginDescription: Sendable, Equatable {
    /// Lasting id, reverse-DNS.
    public let id: String
    /// Name for people.
    public let name: String
    /// Who made it.
    public let vendor: String
    /// MAJOR.MINOR.MICRO.
    public let version: String
    /// The version in full, with its parts.
    public let fullVersion: VersionInformation
    /// Tracker or reporter.
    public let kind: PluginKind
    /// JSON Schema text of its configuration; nil when it takes any.
    public let configurationSchema: String?
    /// The file that it was loaded from.
    public internal(set) var path: String
    var digest: FileDigest
    /// Whether it reacts to consent events itself.
    public let handlesConsent: Bool
    /// Whether a full queue waits for it because it keeps what it took on disk.
    public let spills: Bool
    /// What its configuration gets from elsewhere: names of shared blocks, and of files by their paths below the folder
    /// of a host's configuration, which end in `.json`.
    public let sharedConfiguration: [String]
    /// Keys of the persistent values that it reads and writes.
    public let storeKeys: [String]
    /// The events that it is to be called with.
    package let wantedEvents: WantedEvents
    /// What it uses of the machine.
    package let machineUse: MachineUse

    /// SHA-256 of its file, lower-case hex; made when it is first asked for.
    public var sha256: String { digest.text }
}

/// What a plugin is for.
public enum PluginKind: String, Sendable {
    /// Speaks one measurement system's language: events in, records and beacons out.
    case tracker
    /// Delivers to one kind of place: the only part that does I/O.
    case reporter
}

/// What a reporter says that it uses of the machine.
package struct MachineUse: Sendable, Equatable {
    /// Bits `TALLY_CAP_...`; those that say nothing of the machine count for nothing here.
    package let capabilities: UInt32
    /// Members of its configuration that hold paths which it only reads; one of a nested object has dots in its name,
    /// and `*` stands for each member.
    package let readPaths: [String]
    /// Members that hold paths which it writes.
    package let writtenPaths: [String]

    /// Whether it has threads of its own.
    package var hasThreads: Bool { capabilities & TALLY_CAP_OWN_THREADS != 0 }
    /// Whether it connects to other machines.
    package var connects: Bool { capabilities & TALLY_CAP_NETWORK != 0 }
    /// Whether it waits for connections of others.
    package var listens: Bool { capabilities & TALLY_CAP_LISTENS != 0 }
    /// Whether its instances have to be in one process.
    package var sharesState: Bool { capabilities & TALLY_CAP_SHARES_STATE != 0 }
    /// Whether it writes to the standard streams.
    package var hasStreams: Bool { capabilities & TALLY_CAP_STREAMS != 0 }
}

/// Which events a tracker wants to be called with.
package struct WantedEvents: Sendable, Equatable {
    /// A bit for each type with a number, and one for all that have none; nil for every event.
    private let bits: [UInt64]?

    /// The last of the numbers that a list may have, and where the bit for types without a number lies.
    private static let unknown: UInt32 = 0xFFFF
    /// As many as there are well-known numbers: a list that goes on behind them has no end.
    private static let longestList = 0x1_0000

    /// Wants events of these types, or every event.
    init(types: [UInt32]?) {
        bits = types.map { types in
            types.reduce(into: [UInt64]()) { bits, type in
                let position = Self.position(of: type)
                if position.word >= bits.count { bits += [UInt64](repeating: 0, count: position.word + 1 - bits.count) }
                bits[position.word] |= position.bit
            }
        }
    }

    /// The types, in their order; nil for every event.
    var types: [UInt32]? {
        bits.map { bits in
            bits.indices.flatMap { word in
                (0..<64).filter { bits[word] >> UInt64($0) & 1 == 1 }.map { UInt32(word * 64 + $0) }
            }
        }
    }

    /// Reads a list that ends with 0; NULL stands for every event.
    package init(_ list: UnsafePointer<UInt32>?) {
        guard let list = unsafe list else {
            self.init(types: nil)
            return
        }
        var types: [UInt32] = []
        while types.count < Self.longestList, case let type = unsafe list[types.count], type != 0 { types.append(type) }
        self.init(types: types)
    }

    /// Whether a type is wanted.
    @inline(__always)
    package func contains(_ type: UInt32) -> Bool {
        guard let bits else { return true }
        let position = Self.position(of: type)
        return position.word < bits.count && bits[position.word] & position.bit != 0
    }

    @inline(__always)
    private static func position(of type: UInt32) -> (word: Int, bit: UInt64) {
        let number = min(type, unknown)
        return (Int(number >> 6), 1 &<< UInt64(number & 63))
    }
}
