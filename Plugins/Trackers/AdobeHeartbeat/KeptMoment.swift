internal import AdobeShared
internal import PluginKit

/// A moment with what entries say of the player, which may wait for the rest of a load's information.
struct KeptMoment {
    /// Run time, us.
    let time: Int64
    /// Wall clock, ms since 1970.
    let epochMilliseconds: Int64
    /// Place in the main content, ms; nil when the player has not said.
    let playheadMilliseconds: Int64?
    /// Place in the ad, ms; nil outside an ad.
    let adPlayheadMilliseconds: Int64?
    /// Length of the main content, ms; nil when the player has not said.
    private(set) var lengthMilliseconds: Int64?
    /// bit/s; 0 when it is not known.
    let bitrate: Int64
    /// Frames per second without their fraction; 0 when they are not known.
    let framesPerSecond: Int64
    /// Frames dropped in the session so far; 0 when they are not known.
    let droppedFrames: Int64

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

    /// The same moment with the length that became known later.
    func withLength(of later: KeptMoment) -> KeptMoment {
        var moment = self
        moment.lengthMilliseconds = lengthMilliseconds ?? later.lengthMilliseconds
        return moment
    }

    /// Length of the main content, s; -1 when it has no known end.
    var length: Int64 {
        guard let lengthMilliseconds, lengthMilliseconds >= 0 else { return -1 }
        return lengthMilliseconds / 1000
    }
}

/// A sleep of the machine, in which nothing was played.
struct Sleep {
    /// When it began.
    let begin: KeptMoment
    /// How long it lasted, us.
    let length: Int64
    /// How long it lasted by the clock of entries, ms.
    let milliseconds: Int64

    init(from begin: KeptMoment, to end: KeptMoment) {
        self.begin = begin
        length = end.time - begin.time
        milliseconds = end.epochMilliseconds - begin.epochMilliseconds
    }
}
