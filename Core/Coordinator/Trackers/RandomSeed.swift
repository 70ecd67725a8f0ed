internal import TextEncoding

/// Where a tracker's random numbers begin: so they are the same in a replay, and differ between trackers and sessions.
enum RandomSeed {
    /// The first eight bytes, little-endian, of SHA-256 over run id, 0, instance name, 0, session as text.
    static func make(runID: String, instance: String, session: UInt32) -> UInt64 {
        var hash = SHA256()
        hash.update(runID)
        hash.update([0])
        hash.update(instance)
        hash.update([0])
        hash.update(String(session))
        return hash.finalize().prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
