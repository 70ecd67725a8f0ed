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
    /// For the first picture, when nobody can say whether it is seen (VAST 4.2, `ViewUndetermined`).
    package var undetermined: [String] = []
    /// For code that was to verify the ad and is not executed (VAST 4.2, `verificationNotExecuted`).
    package var unverified: [String] = []
    /// For failures.
    package var errors: [String] = []
    /// For a click.
    package var clicks: [String] = []
    /// By the standard's name of the event, such as `start` or `firstQuartile`.
    package var events: [String: [String]] = [:]
    /// For places in the ad.
    package var progress: [Progress] = []

    /// What stands in an `InLine` or a `Wrapper` beside its creatives.
    init(_ ad: XMLElement, _ references: inout AdReferences) {
        impressions = references.addresses(of: "Impression", in: ad)
        undetermined = references.addresses(of: "ViewUndetermined", in: ad.child("ViewableImpression"))
        errors = references.addresses(of: "Error", in: ad)
        // Before VAST 4.1 they were an extension.
        let extensions = ad.children("Extensions", "Extension").filter { $0.attributes["type"] == "AdVerifications" }
        for parent in [ad] + extensions {
            for verification in parent.children("AdVerifications", "Verification") {
                let tracking = references.tracking(in: verification)
                unverified += tracking.filter { $0.event == "verificationNotExecuted" }.map(\.address)
            }
        }
    }

    /// Nobody wants to hear of it.
    init() {}

    mutating func addLinear(_ linear: XMLElement, _ references: inout AdReferences) {
        for tracking in references.tracking(in: linear) {
            if tracking.event == "progress" {
                guard let offset = tracking.element.attributes["offset"].flatMap(AdOffset.init(inAd:)) else { continue }
                progress.append(Progress(offset: offset, url: tracking.address))
            } else {
                events[tracking.event, default: []].append(tracking.address)
            }
        }
        clicks += references.addresses(of: "ClickTracking", in: linear.child("VideoClicks"))
    }

    /// Adds what another, outer level wants.
    mutating func add(_ other: AdTracking) {
        impressions += other.impressions
        undetermined += other.undetermined
        unverified += other.unverified
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

    /// A place as VAST documents write it, who leave out hours and minutes too.
    init?(inAd text: String) {
        let words = text.split(separator: " ")
        guard let text = words.first.map(String.init), words.count == 1 else { return nil }
        guard let seconds = AdTime.wholeSeconds(text) else {
            self.init(text)
            return
        }
        self = .time(seconds)
    }

    /// The place in milliseconds; nil as long as a part of an unknown duration.
    package func milliseconds(ofDuration durationMs: Int64?) -> Int64? {
        switch self {
        case .time(let milliseconds): milliseconds
        case .part(let thousandths): durationMs.map { $0 / 1000 * thousandths + $0 % 1000 * thousandths / 1000 }
        }
    }
}
