internal import PluginABI

/// What a tracker knows of the player run that it belongs to; live and in replay the same.
public struct RunInformation: Sendable {
    /// The player run.
    public let playerRunID: String
    /// The configured name of this instance.
    public let instance: String
    /// Wall clock at time 0, us since 1970: adding a time of the run gives the wall clock of then.
    public let epochMicroseconds: Int64
    /// Version of the rules of time, timers and state.
    public let semantics: UInt32
    /// Persistent values as they were when the run began, by the keys of the descriptor.
    public let stored: [String: PlainValue]

    /// Makes the information of a run.
    public init(
        playerRunID: String,
        instance: String,
        epochMicroseconds: Int64,
        semantics: UInt32 = 1,
        stored: [String: PlainValue] = [:]
    ) {
        self.playerRunID = playerRunID
        self.instance = instance
        self.epochMicroseconds = epochMicroseconds
        self.semantics = semantics
        self.stored = stored
    }

    /// Copies what the host lends.
    init(_ foreign: UnsafePointer<tally_run_info>) {
        let raw = unsafe ForeignStructure.copy(foreign, into: tally_run_info())
        var stored: [String: PlainValue] = [:]
        if let record = unsafe raw.stored {
            for attribute in unsafe RecordView(record).attributes {
                stored[attribute.name.string] = PlainValue(attribute.value)
            }
        }
        unsafe self.init(
            playerRunID: UTF8Text(raw.player_run_id).string,
            instance: UTF8Text(raw.instance).string,
            epochMicroseconds: raw.epoch_us,
            semantics: raw.semantics,
            stored: stored
        )
    }
}
