internal import HostSupport

/// A key that means something to the player.
enum Key: Equatable, Sendable {
    case space, left, right, up, down
    case character(Character)

    /// Reads keys from what a terminal sends; what may be the beginning of one is left in the bytes.
    static func read(from bytes: inout [UInt8]) -> [Key] {
        var keys: [Key] = []
        while let first = bytes.first {
            guard first == 0x1B else {
                bytes.removeFirst()
                if first == 0x20 {
                    keys.append(.space)
                } else if (0x21...0x7E).contains(first) {
                    keys.append(.character(Character(Unicode.Scalar(first))))
                }
                continue
            }
            guard let length = escapeLength(bytes) else { break }
            if length == 3, let key = arrows[bytes[2]] { keys.append(key) }
            bytes.removeFirst(length)
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]

    /// The length of an escape sequence; nil when its end has not come yet.
    private static func escapeLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count > 1 else { return nil }
        guard bytes[1] == 0x5B || bytes[1] == 0x4F else { return 1 }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return bytes.count > 16 ? bytes.count : nil
        }
        return end + 1
    }
}

extension Key {
    /// What the keys do, in one line.
    static let help =
        "keys: space pauses, left and right seek by 10 s, up and down change the volume, m mutes, [ and ] change the "
        + "rate, f covers the screen, n goes to the next source, s skips the ad, q ends"

    private static let seekMs: Int64 = 10_000
    private static let volumeStep = 0.1
    private static let rateStep = 0.25
    private static let rates = 0.25...4.0

    /// The command that the key stands for, as playback is now; nil when it stands for none.
    func command(_ snapshot: PlayerSnapshot, isWanted: Bool) -> PlaybackCommand? {
        switch self {
        case .space: isWanted ? .pause(milliseconds: nil) : .play
        case .left: .seek(milliseconds: max(0, (snapshot.playheadMs ?? 0) - Self.seekMs))
        case .right: .seek(milliseconds: (snapshot.playheadMs ?? 0) + Self.seekMs)
        case .up: .volume(Self.step(snapshot.volume, by: Self.volumeStep, within: 0...1))
        case .down: .volume(Self.step(snapshot.volume, by: -Self.volumeStep, within: 0...1))
        case .character("]"): .rate(Self.step(snapshot.rate, by: Self.rateStep, within: Self.rates))
        case .character("["): .rate(Self.step(snapshot.rate, by: -Self.rateStep, within: Self.rates))
        case .character("m"): .mute(!snapshot.isMuted)
        case .character("f"): .fullscreen(!(snapshot.isFullscreen ?? false))
        case .character("n"): .next
        case .character("s"): .skipAd
        case .character("q"): .stop
        case .character: nil
        }
    }

    /// A step on a scale whose values are hundredths.
    private static func step(_ value: Double, by step: Double, within range: ClosedRange<Double>) -> Double {
        let next = ((value + step) * 100).rounded() / 100
        return min(max(next, range.lowerBound), range.upperBound)
    }
}
