/// What clients of a control socket may take, so that none of them can take all.
package struct ControlLimits: Sendable {
    /// Clients at one time.
    package var clients = 1024
    /// Bytes of a message without its end.
    package var messageBytes = 65_536
    /// Commands of one client that wait for their turn; more are read when these are done.
    package var pending = 8
    /// Bytes of replies that wait for a client; with more it is read no further.
    package var unreadBytes = 16_384
    /// Bytes that wait for a client with which a tap finds no room any more.
    package var tapBytes = 262_144
    /// Bytes that wait for all clients together with which taps find no room any more.
    package var allTapBytes = 33_554_432
    /// Messages of one client in a second; what comes faster is read later.
    package var messagesPerSecond = 2_000
    /// How long a client for which something waits may read nothing before it is disconnected, ms.
    package var patience: Int64 = 30_000

    /// The limits of an ordinary player.
    package init() {}
}
