internal import AdobeShared
internal import PluginKit

/// Why the tracker enters the error state.
enum ErrorReason: String {
    /// The configuration cannot be used.
    case configuration
    /// What the player's delegate said cannot be used.
    case information
    /// The tracker itself could not go on.
    case `internal`

    /// The error call-back's message.
    var message: String {
        switch self {
        case .configuration: "the configuration cannot be used"
        case .information: InvalidInformation.message
        case .internal: "the tracker could not go on"
        }
    }
}

// The error state: all tracking is suspended until a video is loaded anew (Adobe VHL 1.4, "Monitor the Error State").
extension AdobeHeartbeatTracker {
    /// Leaves the session, if one is open, and enters the error state; 1.4 says so as the session's last entry.
    func fail(_ reason: ErrorReason, details: String, at moment: KeptMoment) {
        if case .open(let session) = phase, reason == .information {
            session.sendInternalError("\(reason.message)|\(details)", at: moment)
        }
        if reason == .internal {
            internalFailures += 1
            // Once may be the session's fault: the next load is tried. Twice is the host's business.
            if internalFailures > 1 { repeatedFault = TrackerFault("\(reason.message): \(details)") }
        }
        enterErrorState(reason, details: details, at: moment.time)
    }

    func enterErrorState(_ reason: ErrorReason, details: String, at time: Int64) {
        stopTimer()
        phase = .failed
        writer.forgetFailure()
        // The host tells the report; a line of its own would say it twice.
        if tracer.isOn { tracer.error(Self.type, "enterErrorState", at: time, "\(reason.message): \(details)") }
        host.reportError(code: reason.rawValue, message: reason.message, details: details)
    }

    /// Does something with what the delegate said, and enters the error state when that cannot be used.
    func attempt(at moment: KeptMoment, _ body: () throws(InvalidInformation) -> Void) {
        do throws(InvalidInformation) {
            try body()
        } catch {
            fail(.information, details: error.details, at: moment)
        }
    }
}
