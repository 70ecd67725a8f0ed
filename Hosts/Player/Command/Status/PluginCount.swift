/// What a plugin did so far, for the status: a tracker's records and beacons, or the outputs that a reporter took.
struct PluginCount: Sendable, Equatable {
    let name: String
    let count: UInt64
    let isEnabled: Bool
}
