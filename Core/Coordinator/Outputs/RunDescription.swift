/// What names a player run and dates it: all of it is in the archive's header.
public struct RunDescription: Sendable, Equatable {
    /// The rules of time, order, canonical values, state and snapshot that this core follows.
    public static let currentSemantics: UInt32 = 1

    /// Lasting id of the run, 1 to 64 characters.
    public let id: String
    /// Wall clock at time 0, us since 1970.
    public let epoch: Int64
    /// The rules that the run follows.
    public let semantics: UInt32

    /// Names and dates a run.
    public init(id: String, epoch: Int64, semantics: UInt32 = RunDescription.currentSemantics) {
        self.id = id
        self.epoch = epoch
        self.semantics = semantics
    }
}
