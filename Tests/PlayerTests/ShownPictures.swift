internal import Testing
internal import TextEncoding

/// Which picture is told while ads of 160x90 are shown and while the main content of 320x180 is, and by whom.
struct ShownPictures {
    struct Picture: Hashable {
        var width: Int64 = 0
        var height: Int64 = 0
        var bitrate: Int64 = 0

        /// What a record has under three names; nil when it has none of them.
        init?(_ record: JSONValue, _ width: String, _ height: String, _ bitrate: String) {
            let values = [width, height, bitrate].map { record.attribute($0)?.int }
            guard values != [nil, nil, nil] else { return nil }
            (self.width, self.height, self.bitrate) = (values[0] ?? -1, values[1] ?? -1, values[2] ?? -1)
        }

        init() {}

        mutating func update(_ line: JSONValue) {
            width = line.state("width")?.int ?? width
            height = line.state("height")?.int ?? height
            bitrate = line.state("bitrate_bps")?.int ?? bitrate
        }
    }

    /// The content's at its end.
    let content: Picture
    /// Each ad's at its start.
    let ads: [Picture]

    /// Follows the state through an archive: the ad's from its start to its end, the content's from then on.
    init(_ run: RecordedRun) {
        // An archive has what changed.
        var shown = Picture()
        var told: [String: [Picture]] = [:]
        for line in run.lines {
            shown.update(line)
            if let name = line["event"]?.string { told[name, default: []].append(shown) }
        }
        ads = told["ad_start"] ?? []
        content = told["complete"]?.first ?? Picture()
        #expect(content.width == 320 && content.height == 180 && content.bitrate > 0, "\(content)")
        #expect(ads.allSatisfy { $0.width == 160 && $0.height == 90 && $0.bitrate > 0 }, "\(ads)")
        // Otherwise nobody could see whose it is.
        #expect(!ads.map(\.bitrate).contains(content.bitrate))
        #expect(told["ad_quartile"] == ads.flatMap { [$0, $0, $0] })
        #expect(told["ad_complete"] == ads)
        // Behind a pre-roll nothing is shown yet.
        #expect(told["ad_break_complete"] == [Picture(), content, content])
    }

    /// New Relic's events of an ad tell the ad's, and those of the content the content's.
    func check(newRelic records: TrackerRecords) {
        let ofAds = records.named("AD_REQUEST", "AD_START", "AD_QUARTILE").map {
            Picture($0, "adRenditionWidth", "adRenditionHeight", "adBitrate")
        }
        #expect(ofAds == ads.flatMap { [$0, $0, $0, $0, $0] })
        let ofContent = records.named("CONTENT_PAUSE", "CONTENT_RESUME", "CONTENT_END").map {
            Picture($0, "contentRenditionWidth", "contentRenditionHeight", "contentBitrate")
        }
        #expect(ofContent == Array(repeating: content, count: 7))
    }

    /// Mux's source is the content, whatever is shown.
    func check(mux records: TrackerRecords) {
        func sources(_ records: [JSONValue]) -> [Picture] {
            records.compactMap { Picture($0, "video_source_width", "video_source_height", "video_source_bitrate") }
        }
        let ofAds = sources(records.named("adplay", "adplaying", "adfirstquartile", "adended"))
        // At the pre-roll nothing is known of the content yet.
        #expect(ofAds.count >= 3 * 4 && Set(ofAds) == [content], "\(ofAds)")
        #expect(Set(sources(records.all)).subtracting([Picture()]) == [content])
    }
}
