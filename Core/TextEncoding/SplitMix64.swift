/// A small generator of random numbers that gives the same sequence for the same seed everywhere.
///
/// It is not meant for secrets.
public struct SplitMix64: Sendable, Equatable, RandomNumberGenerator {
    /// What the next number is computed from; saving and restoring it continues the sequence.
    public var state: UInt64

    /// Makes a generator that starts at the seed.
    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// The random numbers of a session: the same in a replay, and others in each tracker and session.
    ///
    /// The seed is the first eight bytes, little-endian, of SHA-256 over run id, 0, instance name, 0, session as text.
    package init(run: String, tracker: String, session: UInt32) {
        var hash = SHA256()
        hash.update("\(run)\0\(tracker)\0\(session)")
        self.init(seed: hash.finalize().prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The next number of the sequence.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
