internal import XML

/// The breaks of one main content.
package struct AdSchedule: Sendable, Equatable {
    /// The breaks in the order of the document.
    package var breaks: [ScheduledBreak]
    /// What of the document cannot be used.
    package var failures: [AdFailure] = []
    /// Addresses that it names and that cannot be used, in words.
    package var unusable: [String] = []

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
        let version = root.attributes["version"] ?? "1"
        guard version.prefix(while: { $0 != "." }) == "1" else {
            throw AdFailure(.unsupportedVersion, "'\(location)': it says version '\(version)'")
        }
        breaks = []
        var references = AdReferences(base: location)
        for element in root.children("AdBreak") {
            do throws(AdFailure) {
                if let scheduled = try Self.scheduledBreak(element, &references) { breaks.append(scheduled) }
            } catch {
                failures.append(error)
            }
        }
        unusable = references.unusable
    }

    private static func scheduledBreak(
        _ element: XMLElement,
        _ references: inout AdReferences
    ) throws(AdFailure) -> ScheduledBreak? {
        let types = word(element.attributes["breakType"] ?? "linear").split(separator: ",")
        guard types.contains("linear") else { return nil }
        var tracking: [String: [String]] = [:]
        for entry in references.tracking(in: element) { tracking[entry.event, default: []].append(entry.address) }
        let errors = tracking["error"] ?? []
        let offsetText = word(element.attributes["timeOffset"] ?? "")
        // The place of an order that only the player's own page would know.
        guard !offsetText.hasPrefix("#") else { return nil }
        guard let offset = AdBreakOffset(offsetText) else {
            throw AdFailure(.invalid, "an AdBreak has the time offset '\(offsetText)'", errorURLs: errors)
        }
        guard let source = element.child("AdSource") else { return nil }
        var scheduled = ScheduledBreak(offset: offset, source: try adSource(source, &references, errors))
        scheduled.id = element.attributes["breakId"]
        scheduled.isSingle = source.flag("allowMultipleAds") == false
        scheduled.followsRedirects = source.flag("followRedirects") ?? true
        scheduled.repeatAfterMs = element.attributes["repeatAfter"].flatMap { AdTime.milliseconds(word($0)) }
        scheduled.tracking = tracking
        return scheduled
    }

    private static func adSource(
        _ element: XMLElement,
        _ references: inout AdReferences,
        _ errors: [String]
    ) throws(AdFailure) -> AdSource {
        if let data = element.child("VASTAdData") ?? element.child("VASTData") {
            if let document = data.child("VAST") { return .document(document, base: references.base) }
            // Some write the document as text.
            if let document = try? XMLReading.root(of: Array(data.text.utf8)), document.name == "VAST" {
                return .document(document, base: references.base)
            }
        }
        if let uri = element.text(of: "AdTagURI"), let location = references.address(uri, of: "AdTagURI") {
            return .tag(location)
        }
        throw AdFailure(
            .invalid,
            "an AdSource has neither VASTAdData nor an AdTagURI that can be used",
            errorURLs: errors
        )
    }

    /// An attribute without blanks, in small letters.
    private static func word(_ text: String) -> String { text.filter { !$0.isWhitespace }.lowercased() }
}
