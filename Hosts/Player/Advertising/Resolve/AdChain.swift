internal import XML

/// What is known on the way down a chain of documents.
struct AdChain {
    /// How many ads of the next response may be shown, from many to few.
    enum Room: Int {
        case many
        /// The one that comes first.
        case one
        /// The first stand-alone ad alone (VAST 4.2, 3.19, `allowMultipleAds`).
        case standAlone
    }

    /// Categories that a wrapper does not allow, of one authority.
    struct Blocked {
        let authority: String
        let codes: [String]
    }

    /// The documents so far, before their macros were filled in.
    var locations: [String] = []
    /// The address of the document that is read.
    var base = ""
    var wrappers = 0
    var tracking = AdTracking()
    var mayFollow = true
    var room = Room.many
    var blocked: [Blocked] = []
    /// Where the innermost wrapper has a click lead.
    var clickThrough: String?
    /// Whether a wrapper wants its companions shown, or the ad not at all.
    var needsCompanions = false
    /// The responses whose stand-alone ads may take an ad's place, the innermost last.
    var substitutes: [Int] = []

    /// Goes into a wrapper: what it wants holds for all that is within; where its document lies.
    mutating func enter(_ wrapper: XMLElement, _ references: inout AdReferences) -> String? {
        wrappers += 1
        mayFollow = wrapper.flag("followAdditionalWrappers") ?? true
        if wrapper.flag("allowMultipleAds") != true, room != .standAlone { room = .standAlone }
        var own = AdTracking(wrapper, &references)
        for creative in wrapper.children("Creatives", "Creative") {
            needsCompanions = needsCompanions || creative.needsCompanions
            guard let linear = creative.child("Linear") else { continue }
            own.addLinear(linear, &references)
            clickThrough = linear.child("VideoClicks")?.text(of: "ClickThrough") ?? clickThrough
        }
        tracking.add(own)
        for element in wrapper.children("BlockedAdCategories") {
            let codes = element.text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
            if !codes.isEmpty {
                blocked.append(Blocked(authority: (element.attributes["authority"] ?? "").lowercased(), codes: codes))
            }
        }
        return wrapper.text(of: "VASTAdTagURI").flatMap { references.address($0, of: "VASTAdTagURI") }
    }

    /// A failure that all who are around it hear of.
    func failure(_ code: AdFailure.Code, _ detail: String) -> AdFailure {
        AdFailure(code, detail, errorURLs: tracking.errors)
    }
}

extension XMLElement {
    /// Whether a creative forbids to show the ad without its companions (VAST 4.2, 3.13, `required`).
    var needsCompanions: Bool {
        children("CompanionAds").contains { companions in
            ["all", "any"].contains(companions.attributes["required"]?.lowercased())
                && companions.child("Companion") != nil
        }
    }
}
