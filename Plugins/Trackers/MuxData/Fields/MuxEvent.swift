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
    var isRequest: Bool {
        switch self {
        case .requestcompleted, .requestfailed, .requestcanceled: true
        default: false
        }
    }

    /// Whether it gives way when a beacon would be too large.
    var givesWay: Bool { self == .hb || isRequest }

    /// Whether what is waiting is brought away with it at once.
    var isUrgent: Bool {
        switch self {
        case .viewstart, .error, .ended, .viewend: true
        default: false
        }
    }

    /// Whether an event of an application's own with this name stands for it.
    ///
    /// These have no event of their own in the data model.
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
        case .renditionchange:
            [
                .videoSourceUrl, .videoSourceDomain, .videoSourceHostname, .videoSourceMimeType, .videoSourceWidth,
                .videoSourceHeight, .videoSourceDuration, .videoSourceIsLive, .videoSourceBitrate, .videoSourceFps,
                .videoSourceCodec, .videoSourceName,
            ]
        case .adrequest, .adresponse, .adplay, .adplaying, .adpause, .adfirstquartile, .admidpoint, .adthirdquartile,
            .adended:
            [.adId, .adCreativeId, .adUniversalId]
        case .playbackmodechange: [.playerPlaybackMode]
        default: []
        }
    }
}
