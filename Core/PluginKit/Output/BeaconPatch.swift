internal import PluginABI

/// What a reporter writes into a beacon each time it tries to send it, always in the same number of digits.
public enum BeaconPatch: Equatable, Sendable {
    /// Milliseconds since 1970, 13 digits.
    case sendEpochMilliseconds
    /// Seconds since 1970, 10 digits.
    case sendEpochSeconds
    /// 1 for the first try, with zeros before it, in so many digits.
    case attempt(digits: Int)

    /// How many digits.
    public var width: Int {
        switch self {
        case .sendEpochMilliseconds: 13
        case .sendEpochSeconds: 10
        case .attempt(let digits): max(digits, 1)
        }
    }

    init?(kind: UInt32, width: Int) {
        switch kind {
        case TALLY_PATCH_SEND_EPOCH_MS: self = .sendEpochMilliseconds
        case TALLY_PATCH_SEND_EPOCH_S: self = .sendEpochSeconds
        case TALLY_PATCH_ATTEMPT: self = .attempt(digits: width)
        default: return nil
        }
    }

    /// The number in the ABI, `TALLY_PATCH_...`.
    package var kind: UInt32 {
        switch self {
        case .sendEpochMilliseconds: TALLY_PATCH_SEND_EPOCH_MS
        case .sendEpochSeconds: TALLY_PATCH_SEND_EPOCH_S
        case .attempt: TALLY_PATCH_ATTEMPT
        }
    }
}

/// Parts of a beacon that a patch can lie in.
public enum BeaconPart: UInt32, Sendable {
    /// The address.
    case url = 1
    /// The body.
    case body = 2
}

/// How a beacon wants to be treated.
public struct BeaconOptions: OptionSet, Sendable {
    /// Bits `TALLY_BEACON_...`.
    public let rawValue: UInt32

    /// Takes bits `TALLY_BEACON_...`.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The body is best sent compressed.
    public static let gzipWanted = BeaconOptions(rawValue: 0x1)
    /// Not worth keeping while there is no network.
    public static let dropIfOffline = BeaconOptions(rawValue: 0x2)
    /// One try is enough.
    public static let noRetry = BeaconOptions(rawValue: 0x4)
    /// Sent after all earlier ones of its destination.
    public static let keepOrder = BeaconOptions(rawValue: 0x8)
}
