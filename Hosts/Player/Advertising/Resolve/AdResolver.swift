internal import XML

/// Follows a break's documents to ads (VAST 2 to 4.3) and waits for each: use it on a thread of its own.
package struct AdResolver: Sendable {
    /// How many wrappers may lie around an ad (VAST 4.2, 2.4.3.4).
    package static let wrapperLimit = 5
    /// How many ads a break may have; a larger pod is cut off.
    package static let podLimit = 30
    /// How many documents are read for a break; further ones are not asked for.
    package static let documentLimit = 64

    private let fetch: DocumentFetch
    private let maxBitrate: Int64?
    private let moment: @Sendable () -> AdMoment

    /// Makes a resolver that prefers media files up to a bitrate in bits per second.
    ///
    /// `moment` says what is known when a document is asked for; it is called on the resolver's thread.
    package init(
        maxBitrate: Int64? = nil,
        moment: @escaping @Sendable () -> AdMoment = { AdMoment(.request) },
        fetch: @escaping DocumentFetch
    ) {
        self.maxBitrate = maxBitrate
        self.moment = moment
        self.fetch = fetch
    }

    /// Follows a source to its end.
    ///
    /// `isSingle` says that the break has room for one ad only, and `followsRedirects` that wrappers may be followed
    /// (VMAP 1.0, `allowMultipleAds` and `followRedirects`).
    package func resolve(_ source: AdSource, isSingle: Bool = false, followsRedirects: Bool = true) -> AdPod {
        var pod = AdPod()
        var chain = AdChain()
        chain.room = isSingle ? .one : .many
        chain.mayFollow = followsRedirects
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

    private func addAssets(of location: String, _ chain: AdChain, into pod: inout AdPod) {
        do throws(FetchFailure) {
            let bytes = try fetch(location)
            pod.documents.append(location)
            do throws(AdFailure) {
                let assets = try AssetList.assets(bytes)
                for asset in assets.prefix(Self.podLimit) {
                    guard let address = AdLocation.resolve(asset.uri, from: location) else { continue }
                    pod.ads.append(LinearAd(asset: address, durationMs: asset.durationMs, of: location))
                }
                if pod.ads.isEmpty { pod.failures.append(chain.failure(.empty, "the list has none")) }
            } catch {
                pod.failures.append(AdFailure(error.code, "'\(location)': \(error.detail)"))
            }
        } catch {
            pod.failures.append(chain.failure(.unreachable, "'\(location)': \(error.reason)"))
        }
    }

    private func follow(_ location: String, _ outer: AdChain, into pod: inout AdPod) {
        var chain = outer
        guard !chain.locations.contains(location) else {
            return pod.failures.append(chain.failure(.wrapperLimit, "'\(location)' leads back to itself"))
        }
        guard pod.documents.count < Self.documentLimit else {
            return pod.failures.append(chain.failure(.wrapperLimit, "the break asks for too many documents"))
        }
        // Before macros are filled in: what they become is never the same again.
        chain.locations.append(location)
        var moment = moment()
        moment.blockedCategories = chain.blocked.flatMap(\.codes)
        let address = AdMacros.replaced(in: location, at: moment)
        chain.base = address
        let bytes: [UInt8]
        do throws(FetchFailure) {
            bytes = try fetch(address)
        } catch { return pod.failures.append(chain.failure(.unreachable, "'\(address)': \(error.reason)")) }
        pod.documents.append(address)
        do throws(XMLReading.Failure) {
            add(try XMLReading.root(of: bytes), chain, into: &pod)
        } catch {
            pod.failures.append(chain.failure(.malformed, "'\(address)': \(error.reason)"))
        }
    }

    private func add(_ root: XMLElement, _ outer: AdChain, into pod: inout AdPod) {
        guard root.name == "VAST" else {
            // The root of VAST 1.
            let code: AdFailure.Code = root.name == "VideoAdServingTemplate" ? .unsupportedVersion : .invalid
            return pod.failures.append(outer.failure(code, "its root is \(root.name) and not VAST"))
        }
        let version = root.attributes["version"].map { $0.filter { !$0.isWhitespace } } ?? ""
        guard version.isEmpty || ["2", "3", "4"].contains(version.prefix { $0 != "." }) else {
            return pod.failures.append(outer.failure(.unsupportedVersion, "it says version '\(version)'"))
        }
        var response = AdResponse(root, room: outer.room)
        guard !response.chosen.isEmpty else {
            var references = AdReferences(base: outer.base)
            var failure = outer.failure(.empty, "the answer has none")
            failure.errorURLs += references.addresses(of: "Error", in: root)
            pod.unusable += references.unusable
            pod.failures.append(failure)
            return
        }
        let number = pod.beginResponse()
        for ad in response.chosen where pod.ads.count + pod.failures.count < Self.podLimit {
            var next: XMLElement? = ad
            while let ad = next {
                let mayBeReplaced = !AdResponse.forbidsFallback(ad)
                var chain = outer
                if mayBeReplaced { chain.substitutes.append(number) }
                let count = pod.ads.count
                add(ad: ad, chain, into: &pod)
                let isThere = pod.ads.count > count || pod.failures.count >= Self.podLimit
                next = isThere || !mayBeReplaced ? nil : response.removeSubstitute()
            }
        }
        keepRest(of: response, number, outer, in: &pod)
    }

    /// Keeps the stand-alone ads that are there without a further document, for ads that turn out not to be playable.
    private func keepRest(of response: AdResponse, _ number: Int, _ outer: AdChain, in pod: inout AdPod) {
        var chain = outer
        chain.substitutes.append(number)
        for ad in response.rest.prefix(Self.podLimit) where ad.child("InLine") != nil {
            var scratch = AdPod()
            add(ad: ad, chain, into: &scratch)
            if let spare = scratch.ads.first { pod.keep(spare, of: number) }
        }
    }

    private func add(ad: XMLElement, _ outer: AdChain, into pod: inout AdPod) {
        var references = AdReferences(base: outer.base)
        defer { pod.unusable += references.unusable }
        if let inline = ad.child("InLine") {
            let reader = InlineAd(ad, inline, within: outer, maxBitrate: maxBitrate)
            do throws(AdFailure) {
                pod.ads.append(try reader.linear(&references))
            } catch {
                pod.failures.append(error)
            }
        } else if let wrapper = ad.child("Wrapper") {
            var chain = outer
            let location = chain.enter(wrapper, &references)
            unwrap(location, chain, isFollowed: outer.mayFollow, into: &pod)
        } else {
            pod.failures.append(outer.failure(.invalid, "an Ad is neither InLine nor Wrapper"))
        }
    }

    private func unwrap(_ location: String?, _ chain: AdChain, isFollowed: Bool, into pod: inout AdPod) {
        guard isFollowed else {
            return pod.failures.append(chain.failure(.wrapper, "what is around it allows no further one"))
        }
        guard chain.wrappers <= Self.wrapperLimit else {
            return pod.failures.append(chain.failure(.wrapperLimit, "there are more than \(Self.wrapperLimit)"))
        }
        guard let location else {
            return pod.failures.append(chain.failure(.invalid, "a Wrapper has no VASTAdTagURI that can be used"))
        }
        let (ads, failures) = (pod.ads.count, pod.failures.count)
        follow(location, chain, into: &pod)
        if pod.ads.count == ads, pod.failures.count == failures {
            pod.failures.append(chain.failure(.empty, "the wrappers lead to none"))
        }
    }
}

/// The ads of one response: those that are to be shown, and those that may take their place.
private struct AdResponse {
    let chosen: [XMLElement]
    /// Stand-alone ads that nobody has chosen, in their order.
    private(set) var rest: [XMLElement]

    /// Chooses among the ads: a pod in its order, or the first stand-alone ad (VAST 4.2, 3.3.1).
    init(_ root: XMLElement, room: AdChain.Room) {
        let ads = root.children("Ad")
        let pod = ads.enumerated().compactMap { index, ad in
            InlineAd.sequence(of: ad).map { (number: $0, index: index, ad: ad) }
        }.sorted { ($0.number, $0.index) < ($1.number, $1.index) }.map(\.ad)
        let standAlone = ads.filter { InlineAd.sequence(of: $0) == nil }
        switch room {
        case .many:
            chosen = pod.isEmpty ? Array(standAlone.prefix(1)) : pod
            rest = pod.isEmpty ? Array(standAlone.dropFirst()) : standAlone
        case .one:
            let all = pod + standAlone
            chosen = Array(all.prefix(1))
            rest = Array(all.dropFirst())
        case .standAlone:
            chosen = Array((standAlone + pod).prefix(1))
            rest = []
        }
    }

    mutating func removeSubstitute() -> XMLElement? { rest.isEmpty ? nil : rest.removeFirst() }

    /// Whether nothing may take the place of an ad (VAST 4.2, 3.19, `fallbackOnNoAd`).
    static func forbidsFallback(_ ad: XMLElement) -> Bool { ad.child("Wrapper")?.flag("fallbackOnNoAd") == false }
}
