internal import Streaming
internal import TextEncoding
internal import XML

/// Follows a break's documents to ads (VAST 2 to 4.2) and waits for each: use it on a thread of its own.
package struct AdResolver: Sendable {
    /// How many wrappers may lie around an ad (VAST 4.2, 2.4.3.4).
    package static let wrapperLimit = 5
    /// How many ads a break may have; a larger pod is cut off.
    package static let podLimit = 30
    /// How many documents are read for a break; further ones are not asked for.
    package static let documentLimit = 64

    private let fetch: DocumentFetch
    private let maxBitrate: Int64?

    /// Makes a resolver that prefers media files up to a bitrate in bits per second.
    package init(maxBitrate: Int64? = nil, fetch: @escaping DocumentFetch) {
        self.maxBitrate = maxBitrate
        self.fetch = fetch
    }

    /// What is known on the way down.
    struct Chain {
        var locations: [String] = []
        var wrappers = 0
        var tracking = AdTracking()
        var mayFollow = true
        var isSingle = false
        var base = ""
    }

    /// Follows a source to its end; `isSingle` says that the break has room for one ad only (VMAP 1.0,
    /// `allowMultipleAds`).
    package func resolve(_ source: AdSource, isSingle: Bool = false) -> AdPod {
        var pod = AdPod()
        var chain = Chain()
        chain.isSingle = isSingle
        switch source {
        case .tag(let location): follow(location, chain, into: &pod)
        case .document(let element, let base):
            chain.base = base
            chain.locations.append(base)
            add(element, chain, into: &pod)
        case .asset(let location, let durationMs):
            pod.ads.append(LinearAd(asset: location, durationMs: durationMs, of: location))
        case .assetList(let location): addAssets(of: location, chain, into: &pod)
        }
        if isSingle, pod.ads.count > 1 { pod.ads.removeSubrange(1...) }
        return pod
    }

    private func addAssets(of location: String, _ chain: Chain, into pod: inout AdPod) {
        do throws(FetchFailure) {
            let bytes = try fetch(location)
            pod.documents.append(location)
            do throws(AdFailure) {
                let assets = try AssetList.assets(bytes)
                for asset in assets.prefix(Self.podLimit) {
                    guard let address = AdLocation.resolve(asset.uri, from: location) else { continue }
                    pod.ads.append(LinearAd(asset: address, durationMs: asset.durationMs, of: location))
                }
                if pod.ads.isEmpty { pod.failures.append(failure(.empty, "the list has none", chain)) }
            } catch {
                pod.failures.append(AdFailure(error.code, "'\(location)': \(error.detail)"))
            }
        } catch {
            pod.failures.append(failure(.unreachable, "'\(location)': \(error.reason)", chain))
        }
    }

    private func follow(_ location: String, _ outer: Chain, into pod: inout AdPod) {
        var chain = outer
        guard !chain.locations.contains(location) else {
            return pod.failures.append(failure(.wrapperLimit, "'\(location)' leads back to itself", chain))
        }
        guard pod.documents.count < Self.documentLimit else {
            return pod.failures.append(failure(.wrapperLimit, "the break asks for too many documents", chain))
        }
        chain.locations.append(location)
        chain.base = location
        let bytes: [UInt8]
        do throws(FetchFailure) {
            bytes = try fetch(location)
        } catch { return pod.failures.append(failure(.unreachable, "'\(location)': \(error.reason)", chain)) }
        pod.documents.append(location)
        do throws(XMLReading.Failure) {
            add(try XMLReading.root(of: bytes), chain, into: &pod)
        } catch {
            pod.failures.append(failure(.malformed, "'\(location)': \(error.reason)", chain))
        }
    }

    private func add(_ root: XMLElement, _ chain: Chain, into pod: inout AdPod) {
        guard root.name == "VAST" else {
            return pod.failures.append(failure(.invalid, "its root is \(root.name) and not VAST", chain))
        }
        let version = root.attributes["version"] ?? ""
        guard ["2", "3", "4"].contains(version.prefix { $0 != "." }) else {
            return pod.failures.append(failure(.unsupportedVersion, "it says version '\(version)'", chain))
        }
        let ads = root.children("Ad")
        guard !ads.isEmpty else {
            var failure = failure(.empty, "the answer has none", chain)
            failure.errorURLs += AdLocation.all(root.texts(of: "Error"), from: chain.base)
            pod.failures.append(failure)
            return
        }
        for ad in Self.ordered(ads, isSingle: chain.isSingle) where pod.ads.count + pod.failures.count < Self.podLimit {
            add(ad: ad, chain, into: &pod)
        }
    }

    /// The ads of a pod by their sequence; without one the first alone, as the others are to choose from.
    private static func ordered(_ ads: [XMLElement], isSingle: Bool) -> [XMLElement] {
        let sequenced = ads.enumerated().compactMap { index, ad in
            ad.attributes["sequence"].flatMap { Int($0) }.map { (number: $0, index: index, ad: ad) }
        }
        guard !sequenced.isEmpty else { return Array(ads.prefix(1)) }
        let pod = sequenced.sorted { ($0.number, $0.index) < ($1.number, $1.index) }.map(\.ad)
        return isSingle ? Array(pod.prefix(1)) : pod
    }

    private func add(ad: XMLElement, _ outer: Chain, into pod: inout AdPod) {
        var chain = outer
        if let inline = ad.child("InLine") {
            chain.tracking.errors += AdLocation.all(inline.texts(of: "Error"), from: chain.base)
            do throws(AdFailure) {
                pod.ads.append(try linear(inline, id: ad.attributes["id"], chain))
            } catch {
                pod.failures.append(error)
            }
        } else if let wrapper = ad.child("Wrapper") {
            chain.tracking.errors += AdLocation.all(wrapper.texts(of: "Error"), from: chain.base)
            unwrap(wrapper, chain, into: &pod)
        } else {
            pod.failures.append(failure(.invalid, "an Ad is neither InLine nor Wrapper", chain))
        }
    }

    private func unwrap(_ wrapper: XMLElement, _ outer: Chain, into pod: inout AdPod) {
        var chain = outer
        chain.wrappers += 1
        guard chain.mayFollow else {
            return pod.failures.append(failure(.wrapper, "the wrapper around it allows no further one", chain))
        }
        guard chain.wrappers <= Self.wrapperLimit else {
            return pod.failures.append(failure(.wrapperLimit, "there are more than \(Self.wrapperLimit)", chain))
        }
        guard let uri = wrapper.text(of: "VASTAdTagURI"),
            let location = AdLocation.resolve(AdMacros.replaced(in: uri, [:]), from: chain.base)
        else {
            return pod.failures.append(failure(.invalid, "a Wrapper has no VASTAdTagURI that can be used", chain))
        }
        chain.mayFollow = wrapper.attributes["followAdditionalWrappers"].map { !["false", "0"].contains($0) } ?? true
        if wrapper.attributes["allowMultipleAds"].map({ ["false", "0"].contains($0) }) ?? false {
            chain.isSingle = true
        }
        chain.tracking.impressions += AdLocation.all(wrapper.texts(of: "Impression"), from: chain.base)
        for creative in wrapper.children("Creatives", "Creative") {
            if let linear = creative.child("Linear") { chain.tracking.addLinear(linear, from: chain.base) }
        }
        let (ads, failures) = (pod.ads.count, pod.failures.count)
        follow(location, chain, into: &pod)
        if pod.ads.count == ads, pod.failures.count == failures {
            pod.failures.append(failure(.empty, "the wrappers lead to none", chain))
        }
    }

    private func linear(_ inline: XMLElement, id: String?, _ chain: Chain) throws(AdFailure) -> LinearAd {
        let creatives = inline.children("Creatives", "Creative")
        guard let creative = creatives.first(where: { $0.child("Linear") != nil }),
            let linear = creative.child("Linear")
        else { throw failure(.notLinear, "no Creative is Linear", chain) }
        let files = linear.children("MediaFiles", "MediaFile").compactMap(MediaFile.init)
        guard !files.isEmpty else { throw failure(.invalid, "the Linear has no MediaFile", chain) }
        guard let media = MediaFile.choose(from: files, maxBitrate: maxBitrate) else {
            let types = files.map { $0.apiFramework ?? $0.type }.joined(separator: ", ")
            throw failure(.noMediaFile, "there are only \(types)", chain)
        }
        guard let location = AdLocation.resolve(media.location, from: chain.base) else {
            throw failure(.noMediaFile, "'\(media.location)' is no place that the document may name", chain)
        }
        var tracking = AdTracking()
        tracking.impressions = AdLocation.all(inline.texts(of: "Impression"), from: chain.base)
        tracking.addLinear(linear, from: chain.base)
        tracking.add(chain.tracking)
        let universal = creative.children("UniversalAdId").first
        let price = inline.child("Pricing").flatMap { $0.attributes["model"]?.uppercased() == "CPM" ? $0.text : nil }
        return LinearAd(
            id: id,
            title: inline.text(of: "AdTitle"),
            system: inline.text(of: "AdSystem"),
            advertiser: inline.text(of: "Advertiser"),
            creativeID: creative.attributes["id"] ?? creative.attributes["AdID"] ?? creative.attributes["adId"],
            universalID: universal.flatMap { $0.text.isEmpty ? $0.attributes["idValue"] : $0.text },
            cpm: price,
            durationMs: linear.text(of: "Duration").flatMap(AdTime.milliseconds),
            skipOffset: linear.attributes["skipoffset"].flatMap(AdOffset.init),
            media: media,
            location: location,
            clickThrough: linear.child("VideoClicks")?.text(of: "ClickThrough"),
            tag: chain.base,
            tracking: tracking
        )
    }

    private func failure(_ code: AdFailure.Code, _ detail: String, _ chain: Chain) -> AdFailure {
        AdFailure(code, detail, errorURLs: chain.tracking.errors)
    }
}

/// The ads of a break in their order, and what came in between.
package struct AdPod: Sendable, Equatable {
    /// What can be played.
    package var ads: [LinearAd] = []
    /// What cannot.
    package var failures: [AdFailure] = []
    /// The addresses of all documents that were read.
    package var documents: [String] = []

    /// Gives the ads of a stream's own break the break's name and rules.
    package mutating func apply(_ scheduled: ScheduledBreak) {
        guard let interstitial = scheduled.interstitial else { return }
        for index in ads.indices {
            ads[index].id = scheduled.id
            ads[index].skipOffset = interstitial.isSkippable ? .time(0) : nil
        }
    }
}

/// The list of assets of an interstitial (RFC 8216bis, appendix D, `X-ASSET-LIST`).
enum AssetList {
    /// An entry of the list.
    struct Asset: Equatable {
        let uri: String
        let durationMs: Int64?
    }

    /// Reads the text of a list; entries without an address are left out.
    static func assets(_ bytes: [UInt8]) throws(AdFailure) -> [Asset] {
        let value: JSONValue
        do {
            value = try JSONParser().parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw AdFailure(.malformed, "the list of assets is no JSON")
        }
        guard let entries = value["ASSETS"]?.array else {
            throw AdFailure(.invalid, "the list of assets has no ASSETS")
        }
        return entries.compactMap { entry in
            guard let uri = entry["URI"]?.string, !uri.isEmpty else { return nil }
            let seconds = entry["DURATION"]?.double ?? 0
            return Asset(uri: uri, durationMs: seconds > 0 && seconds < 86_400 ? Int64(seconds * 1000) : nil)
        }
    }
}
