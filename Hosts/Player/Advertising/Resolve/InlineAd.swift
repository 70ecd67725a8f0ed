internal import XML

/// Reads an `InLine` ad, with what the wrappers around it want.
struct InlineAd {
    private let ad: XMLElement
    private let inline: XMLElement
    private let chain: AdChain
    private let maxBitrate: Int64?

    init(_ ad: XMLElement, _ inline: XMLElement, within chain: AdChain, maxBitrate: Int64?) {
        self.ad = ad
        self.inline = inline
        self.chain = chain
        self.maxBitrate = maxBitrate
    }

    /// The place in a pod, from 1; nil for a stand-alone ad.
    static func sequence(of ad: XMLElement) -> Int? {
        ad.attributes["sequence"].flatMap { Int($0.filter { !$0.isWhitespace }) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The linear ad in it.
    func linear(_ references: inout AdReferences) throws(AdFailure) -> LinearAd {
        var tracking = AdTracking(inline, &references)
        let creatives = inline.children("Creatives", "Creative")
        var own = chain
        own.tracking.errors = tracking.errors + chain.tracking.errors
        guard !creatives.isEmpty else { throw own.failure(.invalid, "the InLine has no Creative") }
        let linears = Self.linears(creatives)
        guard !linears.isEmpty else { throw own.failure(.notLinear, "no Creative is Linear") }
        try checkCategories(own)
        guard !chain.needsCompanions, !creatives.contains(where: \.needsCompanions) else {
            throw own.failure(.companionRequired, "there is no place for them")
        }
        let (creative, linear, media) = try choose(from: linears, own, &references)
        tracking.addLinear(linear, &references)
        tracking.add(chain.tracking)
        let price = inline.child("Pricing").flatMap { $0.attributes["model"]?.uppercased() == "CPM" ? $0.text : nil }
        return LinearAd(
            id: ad.attributes["id"],
            sequence: Self.sequence(of: ad),
            type: ad.attributes["adType"].map { $0.lowercased() } ?? "video",
            servingID: inline.text(of: "AdServingId"),
            title: inline.text(of: "AdTitle"),
            system: inline.text(of: "AdSystem"),
            advertiser: inline.text(of: "Advertiser"),
            creativeID: creative.attributes["id"] ?? creative.attributes["AdID"] ?? creative.attributes["adId"],
            universalIDs: Self.universalIDs(creative),
            cpm: price,
            durationMs: linear.text(of: "Duration").flatMap(AdTime.milliseconds).flatMap { $0 > 0 ? $0 : nil },
            skipOffset: linear.attributes["skipoffset"].flatMap(AdOffset.init(inAd:)),
            media: media,
            isInteractive: linear.child("MediaFiles")?.child("InteractiveCreativeFile") != nil,
            clickThrough: linear.child("VideoClicks")?.text(of: "ClickThrough") ?? chain.clickThrough,
            tag: chain.base,
            tracking: tracking,
            substitutes: chain.substitutes
        )
    }

    /// The linear creatives in the order in which they are numbered, and those without a number behind them.
    private static func linears(_ creatives: [XMLElement]) -> [(creative: XMLElement, linear: XMLElement)] {
        let found = creatives.compactMap { creative in creative.child("Linear").map { (creative, $0) } }
        return found.enumerated().sorted { first, second in
            (sequence(of: first.element.0) ?? .max, first.offset)
                < (sequence(of: second.element.0) ?? .max, second.offset)
        }.map { ($0.element.0, $0.element.1) }
    }

    /// The first creative with a file that can be played.
    private func choose(
        from linears: [(creative: XMLElement, linear: XMLElement)],
        _ own: AdChain,
        _ references: inout AdReferences
    ) throws(AdFailure) -> (creative: XMLElement, linear: XMLElement, media: MediaFile) {
        var problem: AdFailure?
        for (creative, linear) in linears {
            let elements = linear.children("MediaFiles", "MediaFile")
            let files = elements.compactMap { element in
                references.address(element.text, of: "MediaFile").map { MediaFile(element, location: $0) }
            }
            if let media = MediaFile.choose(from: files, maxBitrate: maxBitrate) { return (creative, linear, media) }
            if !files.isEmpty {
                let types = files.map { $0.isProgram ? $0.apiFramework ?? $0.type : $0.type }
                problem = problem ?? own.failure(.noMediaFile, "there are only \(types.joined(separator: ", "))")
            } else if elements.contains(where: { !$0.text.isEmpty }) {
                problem = problem ?? own.failure(.noMediaFile, "no MediaFile has an address that can be used")
            }
        }
        throw problem ?? own.failure(.invalid, "the Linear has no MediaFile")
    }

    /// Refuses an ad of a category that a wrapper blocks (VAST 4.2, 3.19.2).
    private func checkCategories(_ own: AdChain) throws(AdFailure) {
        for category in inline.children("Category") where !category.text.isEmpty {
            let authority = (category.attributes["authority"] ?? "").lowercased()
            for blocked in chain.blocked where blocked.authority == authority && blocked.codes.contains(category.text) {
                throw own.failure(.blockedCategory, "'\(category.text)'")
            }
        }
    }

    /// VAST 4.0 has the identifier in an attribute too, which counts where there is no text.
    private static func universalIDs(_ creative: XMLElement) -> [LinearAd.UniversalID] {
        creative.children("UniversalAdId").compactMap { element in
            let value = element.text.isEmpty ? element.attributes["idValue"] ?? "" : element.text
            guard !value.isEmpty else { return nil }
            return LinearAd.UniversalID(registry: element.attributes["idRegistry"] ?? "unknown", value: value)
        }
    }
}
