/// What kind of stream the main asset is (Adobe VHL 1.4, `ADB_VHB_AssetType`).
public enum AssetType: String, Sendable {
    /// On demand: it has a length.
    case vod
    /// A live event.
    case live
    /// A channel that goes on for ever.
    case linear
}
