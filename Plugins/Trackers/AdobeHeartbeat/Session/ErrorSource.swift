/// Values of `s:event:source`.
enum ErrorSource {
    /// The tracker itself; 1.4 only.
    static let heartbeat: StaticString = "sourceErrorHeartbeat"

    /// The player.
    static func player(_ compatibility: Compatibility) -> StaticString {
        compatibility == .v14 ? "sourceErrorSDK" : "player"
    }

    /// The application.
    static func application(_ compatibility: Compatibility) -> StaticString {
        compatibility == .v14 ? "sourceErrorExternal" : "application"
    }
}
