internal import AdobeShared
internal import PluginKit

/// A moment with what entries say of the player, which may wait for the rest of a load's information.
struct KeptMoment {
    /// Run time, us.
    var time: Int64 = 0
    /// Wall clock, ms since 1970.
    var epochMilliseconds: Int64 = 0
    /// Place in the main content, ms; nil when the player has not said.
    var playheadMilliseconds: Int64?
    /// Place in the ad, ms; nil outside an ad.
    var adPlayheadMilliseconds: Int64?
    /// Length of the main content, ms; nil when the player has not said.
    var lengthMilliseconds: Int64?
    /// bit/s; 0 when it is not known.
    var bitrate: Int64 = 0
    /// Frames per second without their fraction; 0 when they are not known.
    var framesPerSecond: Int64 = 0
    /// Frames dropped in the session so far; 0 when they are not known.
    var droppedFrames: Int64 = 0

    /// The beginning, with nothing known.
    init() {}

    init(_ moment: Moment) {
        let player = moment.player
        time = moment.time
        epochMilliseconds = moment.epochMilliseconds
        playheadMilliseconds = player.playheadMilliseconds
        adPlayheadMilliseconds = player.adPlayheadMilliseconds
        lengthMilliseconds = player.durationMilliseconds
        bitrate = player.bitrate ?? 0
        framesPerSecond = Int64(player.framesPerSecondMilli ?? 0) / 1000
        droppedFrames = player.droppedFrames ?? 0
    }

    /// Length of the main content, s; -1 when it has no known end.
    var length: Int64 {
        guard let lengthMilliseconds, lengthMilliseconds >= 0 else { return -1 }
        return lengthMilliseconds / 1000
    }
}

extension KeptMoment: StateValue {
    static var blank: KeptMoment { KeptMoment() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&time)
        transfer.carry(&epochMilliseconds)
        transfer.carry(&playheadMilliseconds)
        transfer.carry(&adPlayheadMilliseconds)
        transfer.carry(&lengthMilliseconds)
        transfer.carry(&bitrate)
        transfer.carry(&framesPerSecond)
        transfer.carry(&droppedFrames)
    }
}
