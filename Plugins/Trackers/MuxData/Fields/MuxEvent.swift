/// The events of Mux Data: playback, ads, network, and those that the core library adds.
package enum MuxEvent: String, CaseIterable, Sendable {
    // View life cycle.
    case viewinit, playerready, viewstart, viewend

    // Playback.
    case play, playing, pause, timeupdate, seeking, seeked, rebufferstart, rebufferend, error, ended, hb
    case renditionchange, orientationchange, playbackmodechange, ratechange, networkchange, cdnchange
    case audiotrackchange, texttrackchange, loadstart, waiting, devicesleep, devicewake, eventrateexceeded

    // Ads.
    case adrequest, adresponse, adbreakstart, adplay, adplaying, adfirstquartile, admidpoint, adthirdquartile
    case adpause, adended, adskipped, aderror, adclicked, adimpression, adbreakend

    // Network.
    case requestcompleted, requestfailed, requestcanceled

    /// Whether it is one of the network events, which let a heartbeat wait no longer.
    var isRequest: Bool { self == .requestcompleted || self == .requestfailed || self == .requestcanceled }

    /// Whether it gives way when a beacon would be too large.
    var givesWay: Bool { self == .hb || isRequest }

    /// Whether what is waiting is brought away with it at once.
    var isUrgent: Bool { self == .viewstart || self == .error || self == .ended || self == .viewend }

    /// Whether an event of an application's own with this name stands for it: the data model has no event of its own.
    var isApplications: Bool {
        switch self {
        case .adrequest, .adresponse, .adimpression, .orientationchange, .playbackmodechange, .networkchange,
            .cdnchange, .audiotrackchange, .texttrackchange, .loadstart, .waiting:
            true
        default: false
        }
    }

    /// Its fields that a beacon repeats although they did not change.
    var repeatedFields: FieldSet {
        switch self {
        case .renditionchange: Self.sourceFields
        case .adrequest, .adresponse, .adplay, .adplaying, .adpause, .adfirstquartile, .admidpoint, .adthirdquartile,
            .adended:
            [.adId, .adCreativeId, .adUniversalId]
        case .playbackmodechange: [.playerPlaybackMode]
        default: []
        }
    }

    private static let sourceFields = FieldSet(groups: [.videoSource]).subtracting([.viewDroppedFrameCount])
}
