internal import XML

/// The breaks of one main content.
package struct AdSchedule: Sendable, Equatable {
    /// The breaks in the order of the document.
    package var breaks: [ScheduledBreak]
    /// What of the document cannot be used.
    package var failures: [AdFailure] = []

    /// Reads linear breaks of VMAP 1.0, or VAST, which stands for one break before the main content.
    package init(_ bytes: [UInt8], from location: String) throws(AdFailure) {
        let root: XMLElement
        do throws(XMLReading.Failure) {
            root = try XMLReading.root(of: bytes)
        } catch {
            throw AdFailure(.malformed, "'\(location)': \(error.reason)")
        }
        if root.name == "VAST" {
            breaks = [ScheduledBreak(offset: .start, source: .document(root, base: location))]
            return
        }
        guard root.name == "VMAP" else {
            throw AdFailure(.invalid, "'\(location)': its root is \(root.name) and neither VMAP nor VAST")
        }
        guard root.attributes["version"]?.hasPrefix("1.") ?? true else {
            throw AdFailure(.unsupportedVersion, "'\(location)': it says version '\(root.attributes["version"] ?? "")'")
        }
        breaks = []
        for element in root.children("AdBreak") {
            do throws(AdFailure) {
                if let scheduled = try Self.scheduledBreak(element, base: location) { breaks.append(scheduled) }
            } catch {
                failures.append(error)
            }
        }
    }

    private static func scheduledBreak(_ element: XMLElement, base: String) throws(AdFailure) -> ScheduledBreak? {
        let types = (element.attributes["breakType"] ?? "linear").split(separator: ",")
        guard types.contains(where: { $0.drop { $0 == " " }.hasPrefix("linear") }) else { return nil }
        let tracking = element.children("TrackingEvents", "Tracking").filter { !$0.text.isEmpty }
        let errors = AdLocation.all(tracking.filter { $0.attributes["event"] == "error" }.map(\.text), from: base)
        let offsetText = element.attributes["timeOffset"] ?? ""
        // The place of an order that only the player's own page would know.
        guard !offsetText.hasPrefix("#") else { return nil }
        guard let offset = AdBreakOffset(offsetText) else {
            throw AdFailure(.invalid, "an AdBreak has the time offset '\(offsetText)'", errorURLs: errors)
        }
        guard let source = element.child("AdSource") else { return nil }
        var scheduled = ScheduledBreak(offset: offset, source: try adSource(source, base: base, errors))
        scheduled.id = element.attributes["breakId"]
        scheduled.isSingle = ["false", "0"].contains(source.attributes["allowMultipleAds"] ?? "")
        for entry in tracking {
            guard let event = entry.attributes["event"] else { continue }
            scheduled.tracking[event, default: []] += AdLocation.all([entry.text], from: base)
        }
        return scheduled
    }

    private static func adSource(
        _ element: XMLElement,
        base: String,
        _ errors: [String]
    ) throws(AdFailure) -> AdSource {
        if let document = (element.child("VASTAdData") ?? element.child("VASTData"))?.child("VAST") {
            return .document(document, base: base)
        }
        if let uri = element.text(of: "AdTagURI"),
            let location = AdLocation.resolve(AdMacros.replaced(in: uri, [:]), from: base)
        {
            return .tag(location)
        }
        throw AdFailure(
            .invalid,
            "an AdSource has neither VASTAdData nor an AdTagURI that can be used",
            errorURLs: errors
        )
    }
}
