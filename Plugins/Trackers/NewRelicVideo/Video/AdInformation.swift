package import PluginKit

/// What is known of the ad break and of the ad, kept from the events that told it.
package final class AdInformation {
    private let titleText = KeptText()
    private let sourceText = KeptText()
    private let languageText = KeptText()
    private let creativeText = KeptText()
    private let partnerText = KeptText()
    private let identifierText = KeptText()
    private let breakTypeText = KeptText()

    /// Length of the ad, ms.
    package private(set) var duration: Int64?
    private var breakStart: Int64?

    /// Begins with nothing known.
    package init() {
        forgetAd()
    }

    /// Title of the ad.
    package var title: UTF8Text? { titleText.text }
    /// Where the ad comes from.
    package var source: UTF8Text? { sourceText.text }
    /// Language of the ad.
    package var language: UTF8Text? { languageText.text }
    /// The creative.
    package var creative: UTF8Text? { creativeText.text }
    /// Ad system or partner.
    package var partner: UTF8Text? { partnerText.text }
    /// MD5 of the source in upper-case hexadecimal; that of nothing when there is no source.
    package var identifier: UTF8Text? { identifierText.text }

    /// `pre`, `mid` or `post`: what the player says, else from where the break lies in the content; nil for neither.
    package func position(contentDuration: Int64?) -> UTF8Text? {
        if let type = breakTypeText.text { return type }
        guard let breakStart else { return nil }
        if breakStart <= 0 { return UTF8Text("pre") }
        guard let contentDuration, contentDuration > 0, breakStart >= contentDuration else { return UTF8Text("mid") }
        return UTF8Text("post")
    }

    /// Takes over what the attributes of an event say; null takes a value away.
    package func read(_ attributes: AttributeList) {
        var isSourceNew = false
        for attribute in attributes {
            switch attribute.key {
            case .adName: titleText.set(attribute.string)
            case .adURL:
                sourceText.set(attribute.string)
                isSourceNew = true
            case .adLanguage: languageText.set(attribute.string)
            case .adCreativeID: creativeText.set(attribute.string)
            case .adPartner: partnerText.set(attribute.string)
            case .adDurationMs: duration = attribute.int.flatMap { $0 < 0 ? nil : $0 }
            case .adBreakType: breakTypeText.set(attribute.string)
            case .adBreakStartMs: breakStart = attribute.int
            default: break
            }
        }
        if isSourceNew { identify() }
    }

    /// Forgets the ad; the break stays.
    package func forgetAd() {
        titleText.set(nil)
        sourceText.set(nil)
        languageText.set(nil)
        creativeText.set(nil)
        partnerText.set(nil)
        duration = nil
        identify()
    }

    /// Forgets the break.
    package func forgetBreak() {
        breakTypeText.set(nil)
        breakStart = nil
    }

    /// Carries all that is known.
    func carry(by transfer: StateTransfer) {
        for text in [titleText, sourceText, languageText, creativeText, partnerText, breakTypeText] {
            text.carry(by: transfer)
        }
        transfer.carry(&duration)
        transfer.carry(&breakStart)
        if transfer.isLoading { identify() }
    }

    private func identify() {
        identifierText.build { VideoInformation.appendIdentifier(of: source, to: $0) }
    }
}
