internal import XML

/// The addresses that want to hear of an ad's course: its own, and those of the wrappers around it.
package struct AdTracking: Sendable, Equatable {
    /// An address for the moment in which the ad reaches a place.
    package struct Progress: Sendable, Equatable {
        /// The place.
        package var offset: AdOffset
        /// The address.
        package var url: String

        /// Makes an entry.
        package init(offset: AdOffset, url: String) {
            self.offset = offset
            self.url = url
        }
    }

    /// For the first picture.
    package var impressions: [String] = []
    /// For failures.
    package var errors: [String] = []
    /// For a click.
    package var clicks: [String] = []
    /// By the standard's name of the event, such as `start` or `firstQuartile`.
    package var events: [String: [String]] = [:]
    /// For places in the ad.
    package var progress: [Progress] = []

    mutating func addLinear(_ linear: XMLElement, from base: String) {
        for tracking in linear.children("TrackingEvents", "Tracking") where !tracking.text.isEmpty {
            guard let event = tracking.attributes["event"] else { continue }
            let url = AdLocation.resolve(tracking.text, from: base) ?? tracking.text
            if event == "progress" {
                guard let offset = tracking.attributes["offset"].flatMap(AdOffset.init) else { continue }
                progress.append(Progress(offset: offset, url: url))
            } else {
                events[event, default: []].append(url)
            }
        }
        clicks += AdLocation.all(linear.child("VideoClicks")?.texts(of: "ClickTracking") ?? [], from: base)
    }

    /// Adds what another, outer level wants.
    mutating func add(_ other: AdTracking) {
        impressions += other.impressions
        errors += other.errors
        clicks += other.clicks
        progress += other.progress
        events.merge(other.events) { $0 + $1 }
    }
}

/// A place in an ad.
package enum AdOffset: Sendable, Equatable {
    case time(Int64)
    /// A part of its duration, in thousandths.
    case part(Int64)

    init?(_ text: String) {
        if let milliseconds = AdTime.milliseconds(text) {
            self = .time(milliseconds)
        } else if let thousandths = AdTime.thousandths(percent: text) {
            self = .part(thousandths)
        } else {
            return nil
        }
    }

    /// The place in milliseconds; nil as long as a part of an unknown duration.
    package func milliseconds(ofDuration durationMs: Int64?) -> Int64? {
        switch self {
        case .time(let milliseconds): milliseconds
        case .part(let thousandths): durationMs.map { $0 / 1000 * thousandths + $0 % 1000 * thousandths / 1000 }
        }
    }
}
