internal import PluginKit

/// Identifiers in the forms of the guide's sample, made of the host's random numbers: a replay gives the same ones.
enum Identifiers {
    private static let characters = 29

    /// 29 letters and digits, then the time, as `sessionId` and `sesid` have it.
    static func session(epochSeconds: Int64, random: () -> UInt64) -> String {
        let buffer = ByteBuffer(capacity: 48)
        var rest: UInt64 = 0
        for index in 0..<characters {
            // 12 digits of base 36 fit into 64 bits.
            if index % 12 == 0 { rest = random() }
            let digit = UInt8(rest % 36)
            rest /= 36
            buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
        buffer.append(decimal: epochSeconds)
        return buffer.string
    }

    /// The time and seven digits, as `plid` has it.
    static func playerLoad(epochSeconds: Int64, random: () -> UInt64) -> String {
        let buffer = ByteBuffer(capacity: 24)
        buffer.append(decimal: epochSeconds)
        buffer.append(paddedDecimal: Int64(random() % 10_000_000), width: 7)
        return buffer.string
    }
}
