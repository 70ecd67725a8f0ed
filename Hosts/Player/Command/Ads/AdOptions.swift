/// What the command line and the configuration say about ads.
struct AdOptions: Sendable {
    /// The VMAP or VAST document: a file or an address; nil when there is none.
    var location: String?
    /// Whether the addresses that want to hear of an ad are requested.
    var isTracking = false
    /// The longest wait for a document or a creative, in milliseconds.
    var timeoutMs: Int64 = 5000
    /// The highest bitrate of a creative in bits per second, or nil for any.
    var maxBitrate: Int64?
}
