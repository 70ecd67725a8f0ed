internal import EventModel
package import PluginABI
internal import PluginLoading

/// The texts that name where outputs come from; they live as long as an output refers to them.
@safe package final class OriginIdentity: @unchecked Sendable {
    private let bytes: UnsafeMutablePointer<CChar>
    /// The player run's id.
    package let runID: tally_str
    /// The plugin's id; empty for the core itself.
    package let pluginID: tally_str
    /// The plugin's version.
    let version: tally_str
    /// The configured name of the instance.
    package let instance: tally_str
    /// The id of the session's asset; empty when it is not known.
    package let videoID: tally_str
    /// Wall clock at the run's time 0, us since 1970.
    let epoch: Int64

    /// Keeps copies of the texts.
    package init(
        runID: String,
        pluginID: String = "",
        version: String = "",
        instance: String = "",
        videoID: String = "",
        epoch: Int64
    ) {
        let texts = [runID, pluginID, version, instance, videoID]
        let total = texts.reduce(1) { $0 + $1.utf8.count }
        unsafe bytes = .allocate(capacity: total)
        var views: [tally_str] = unsafe []
        var offset = 0
        for text in texts {
            let start = unsafe bytes + offset
            for byte in text.utf8 {
                unsafe bytes[offset] = CChar(bitPattern: byte)
                offset += 1
            }
            unsafe views.append(tally_str(ptr: start, len: text.utf8.count))
        }
        unsafe self.runID = unsafe views[0]
        unsafe self.pluginID = unsafe views[1]
        unsafe self.version = unsafe views[2]
        unsafe self.instance = unsafe views[3]
        unsafe self.videoID = unsafe views[4]
        self.epoch = epoch
    }

    /// Keeps copies of the texts of an output's origin, with another asset's id if one is given.
    package convenience init(_ origin: tally_origin, videoID: String? = nil) {
        unsafe self.init(
            runID: origin.player_run_id.text,
            pluginID: origin.plugin_id.text,
            version: origin.plugin_version.text,
            instance: origin.instance.text,
            videoID: videoID ?? origin.video_id.text,
            epoch: origin.epoch_us
        )
    }

    /// The origin of an output, but for its number and time.
    package var origin: tally_origin { unsafe origin(session: 0, ordinal: 0, time: 0) }

    deinit {
        unsafe bytes.deallocate()
    }

    /// The origin of one output.
    func origin(session: UInt32, ordinal: UInt64, time: Int64) -> tally_origin {
        unsafe tally_origin(
            struct_size: UInt32(MemoryLayout<tally_origin>.size),
            session: session,
            player_run_id: runID,
            plugin_id: pluginID,
            plugin_version: version,
            instance: instance,
            ordinal: ordinal,
            time_us: time,
            epoch_us: epoch,
            video_id: videoID
        )
    }
}

/// What names a player run and dates it: all of it is in the archive's header.
public struct RunDescription: Sendable, Equatable {
    /// The rules of time, order, canonical values, state and snapshot that new runs follow.
    ///
    /// 1: `system_suspended` is dated at its end, and timers go on while the machine sleeps. 2: it is dated where the
    /// sleep began, and no timer falls due in a sleep.
    public static let currentSemantics: UInt32 = 2
    /// The rules that this core can follow, those of older archives included.
    public static let knownSemantics: ClosedRange<Int64> = 1...Int64(currentSemantics)

    /// Lasting id of the run, 1 to 64 characters.
    public let id: String
    /// Wall clock at time 0, us since 1970.
    public let epoch: Int64
    /// The rules that the run follows.
    public let semantics: UInt32
    /// How long none of its lines may come, us, until an open session is ended; a sleep of the machine does not count.
    public var longestSilence = Limits.silenceMicroseconds

    /// Names and dates a run.
    public init(id: String, epoch: Int64, semantics: UInt32 = RunDescription.currentSemantics) {
        self.id = id
        self.epoch = epoch
        self.semantics = semantics
    }
}
