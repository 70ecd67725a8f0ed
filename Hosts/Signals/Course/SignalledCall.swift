package import EventModel
package import Tally

/// A track call that signals come to, with what is known of the player then.
package struct SignalledCall: Equatable, Sendable {
    /// Which call it is.
    package enum Call: Equatable, Sendable {
        /// One that has nothing of its own but attributes.
        case event(EventType, [TrackedCall.Attribute] = [])
        case renditionChange(Rendition)
        case requestCompleted(NetworkRequest)
        case requestFailed(NetworkRequest, PlayerErrorDetails)
        case playerError(String, PlayerErrorDetails)
    }

    /// What is known of the player.
    package struct Known: Equatable, Sendable {
        /// Where playback stands, and the quality of what is shown.
        package var state = ReportedState()
        /// What is played.
        package var video: [TrackedCall.Attribute] = []
        /// The quality, as far as the state does not have it.
        package var quality: [TrackedCall.Attribute] = []
        /// The chapter that is shown.
        package var chapter: [TrackedCall.Attribute] = []
    }

    /// When it happened, ns of the signals' clock; never before the call that was told before it.
    package var timeNs: Int64
    /// The call.
    package var call: Call
    /// What is known.
    package var known: Known
}

extension [TrackedCall.Attribute] {
    /// Sets an attribute, in the place that it has; nil takes it away.
    mutating func set(_ name: String, _ value: PlainValue?) {
        let place = firstIndex { $0.name == name }
        switch (place, value) {
        case (let place?, let value?): self[place] = TrackedCall.Attribute(name, value)
        case (let place?, nil): remove(at: place)
        case (nil, let value?): append(TrackedCall.Attribute(name, value))
        case (nil, nil): break
        }
    }
}
