package import PluginKit

/// What is known of the player and of the video, kept from the events that told it.
package final class VideoInformation {
    private let playerNameText = KeptText()
    private let playerVersionText = KeptText()
    private let titleText = KeptText()
    private let sourceText = KeptText()
    private let languageText = KeptText()
    private let identifierText = KeptText()

    /// Whether the kind of stream says that it is live, nil when it says nothing.
    package private(set) var isLive: Bool?

    /// Begins with nothing known.
    package init() {
        identify()
    }

    /// Name of the player.
    package var playerName: UTF8Text? { playerNameText.text }
    /// Version of the player.
    package var playerVersion: UTF8Text? { playerVersionText.text }
    /// Title of the video.
    package var title: UTF8Text? { titleText.text }
    /// Where the video comes from.
    package var source: UTF8Text? { sourceText.text }
    /// Language of the video.
    package var language: UTF8Text? { languageText.text }
    /// MD5 of the source in upper-case hexadecimal; that of nothing when there is no source.
    package var identifier: UTF8Text? { identifierText.text }

    /// Takes over what the attributes of an event say; null takes a value away.
    package func read(_ attributes: AttributeList) {
        let oldSource = source?.string
        for attribute in attributes {
            switch attribute.key {
            case .playerName: playerNameText.set(attribute.string)
            case .playerVersion: playerVersionText.set(attribute.string)
            case .videoName: titleText.set(attribute.string)
            case .videoURL: sourceText.set(attribute.string)
            case .videoLanguage: languageText.set(attribute.string)
            case .streamType: isLive = attribute.string.flatMap(Self.isLive)
            default: break
            }
        }
        if source?.string != oldSource {
            identify()
        }
    }

    /// Forgets the video; the player stays.
    package func forgetVideo() {
        titleText.set(nil)
        sourceText.set(nil)
        languageText.set(nil)
        isLive = nil
        identify()
    }

    private static func isLive(_ streamType: UTF8Text) -> Bool? {
        if streamType == "vod" { return false }
        if streamType == "live" || streamType == "linear" { return true }
        return nil
    }

    /// Carries all that is known.
    func carry(by transfer: StateTransfer) {
        for text in [playerNameText, playerVersionText, titleText, sourceText, languageText] {
            text.carry(by: transfer)
        }
        transfer.carry(&isLive)
        if transfer.isLoading { identify() }
    }

    private func identify() {
        identifierText.build { Self.appendIdentifier(of: source, to: $0) }
    }

    /// Appends the MD5 of a source in upper-case hexadecimal; that of nothing when there is no source.
    static func appendIdentifier(of source: UTF8Text?, to buffer: ByteBuffer) {
        var digest = MD5()
        if let source {
            unsafe digest.update(source.bytes)
        }
        let bytes = digest.finalize()
        unsafe bytes.withUnsafeBytes { unsafe Hex.append($0, to: buffer, uppercase: true) }
    }
}
