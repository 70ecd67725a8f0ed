internal import PluginKit

extension Hit: StateValue {
    static var blank: Hit { Hit(kind: .videoStart, epochSeconds: 0, viewer: "", media: [], ad: []) }

    mutating func carry(by transfer: StateTransfer) {
        var isAd = kind == .adStart
        transfer.carry(&isAd)
        var seconds = epochSeconds
        transfer.carry(&seconds)
        var viewer = self.viewer
        transfer.carry(&viewer)
        var media = self.media.map { Field(name: $0.name, value: $0.value) }
        transfer.carry(&media)
        var ad = self.ad.map { Field(name: $0.name, value: $0.value) }
        transfer.carry(&ad)
        self = Hit(
            kind: isAd ? .adStart : .videoStart,
            epochSeconds: seconds,
            viewer: viewer,
            media: media.map { ($0.name, $0.value) },
            ad: ad.map { ($0.name, $0.value) }
        )
    }

    /// A name of the context data with its value.
    private struct Field: StateValue {
        static var blank: Field { Field(name: "", value: .number(0)) }

        var name: String
        var value: Value

        mutating func carry(by transfer: StateTransfer) {
            transfer.carry(&name)
            var text: String?
            var number: Int64 = 0
            switch value {
            case .text(let value): text = value
            case .number(let value): number = value
            }
            transfer.carry(&text)
            transfer.carry(&number)
            value = text.map { .text($0) } ?? .number(number)
        }
    }
}
