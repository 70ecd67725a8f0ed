internal import PluginKit

/// The senders by name, as commands and custom trackers call them.
public enum VideoSender: String, CaseIterable, Sendable {
    case playerReady, request, start, end, pause, resume, seekStart, seekEnd, bufferStart, bufferEnd, heartbeat
    case renditionChange, error, adBreakStart, adBreakEnd, adQuartile, adClick
}

extension VideoTracker {
    /// Calls a sender; a rendition change and an error are told without details.
    package func call(_ sender: VideoSender, at moment: Moment) {
        switch sender {
        case .playerReady: sendPlayerReady(at: moment)
        case .request: sendRequest(at: moment)
        case .start: sendStart(at: moment)
        case .end: sendEnd(at: moment)
        case .pause: sendPause(at: moment)
        case .resume: sendResume(at: moment)
        case .seekStart: sendSeekStart(at: moment)
        case .seekEnd: sendSeekEnd(at: moment)
        case .bufferStart: sendBufferStart(at: moment)
        case .bufferEnd: sendBufferEnd(at: moment)
        case .heartbeat: sendHeartbeat(at: moment)
        case .renditionChange: sendRenditionChange(nil, at: moment)
        case .error: sendError(message: nil, domain: nil, code: nil, at: moment)
        case .adBreakStart: sendAdBreakStart(at: moment)
        case .adBreakEnd: sendAdBreakEnd(at: moment)
        case .adQuartile: sendAdQuartile(at: moment)
        case .adClick: sendAdClick(at: moment)
        }
    }
}
