package import PluginKit

/// What is known of the player and its video, or of an ad and its break, kept from the events that told it.
package final class MediaInformation {
    /// Whether the kind of stream says that it is live, nil when it says nothing.
    package private(set) var isLive: Bool?
    /// Length of the ad, ms.
    package private(set) var duration: Int64?

    private let texts: [(key: AttributeKey, text: KeptText)]
    private let source: AttributeKey
    private let identifierText = KeptText()
    private var breakStart: Int64?

    private init(_ keys: [AttributeKey], source: AttributeKey) {
        texts = keys.map { ($0, KeptText()) }
        self.source = source
        identify()
    }

    /// Knows nothing of player and video yet.
    package static func ofVideo() -> MediaInformation {
        MediaInformation([.playerName, .playerVersion, .videoName, .videoURL, .videoLanguage], source: .videoURL)
    }

    /// Knows nothing of ads yet.
    package static func ofAds() -> MediaInformation {
        MediaInformation([.adName, .adURL, .adLanguage, .adCreativeID, .adPartner, .adBreakType], source: .adURL)
    }

    /// The text that the attribute had last.
    package subscript(key: AttributeKey) -> UTF8Text? { kept(key)?.text }

    /// MD5 of the source in upper-case hexadecimal; that of nothing when there is no source.
    package var identifier: UTF8Text? { identifierText.text }

    /// `pre`, `mid` or `post`: what the player says, else from where the break lies in the content; nil for neither.
    package func position(contentDuration: Int64?) -> UTF8Text? {
        if let type = self[.adBreakType] { return type }
        guard let breakStart else { return nil }
        if breakStart <= 0 { return UTF8Text("pre") }
        guard let contentDuration, contentDuration > 0, breakStart >= contentDuration else { return UTF8Text("mid") }
        return UTF8Text("post")
    }

    /// Takes over what the attributes of an event say; null takes a value away.
    package func read(_ attributes: AttributeList) {
        for attribute in attributes {
            if let text = kept(attribute.key) {
                text.set(attribute.string)
                if attribute.key == source { identify() }
                continue
            }
            switch attribute.key {
            case .streamType: isLive = attribute.string.flatMap(Self.isLive)
            case .adDurationMs: duration = attribute.int.flatMap { $0 < 0 ? nil : $0 }
            case .adBreakStartMs: breakStart = attribute.int
            default: break
            }
        }
    }

    /// Forgets the video or the ad; the player and the break stay.
    package func forget() {
        for (key, text) in texts where key != .playerName && key != .playerVersion && key != .adBreakType {
            text.set(nil)
        }
        isLive = nil
        duration = nil
        identify()
    }

    /// Forgets the break.
    package func forgetBreak() {
        kept(.adBreakType)?.set(nil)
        breakStart = nil
    }

    private func kept(_ key: AttributeKey) -> KeptText? { texts.first { $0.key == key }?.text }

    private static func isLive(_ streamType: UTF8Text) -> Bool? {
        if streamType == "vod" { return false }
        return streamType == "live" || streamType == "linear" ? true : nil
    }

    private func identify() {
        var digest = MD5()
        if let source = self[source] { unsafe digest.update(source.bytes) }
        let bytes = digest.finalize()
        identifierText.build { buffer in
            unsafe bytes.withUnsafeBytes { unsafe Hex.append($0, to: buffer, uppercase: true) }
        }
    }
}
