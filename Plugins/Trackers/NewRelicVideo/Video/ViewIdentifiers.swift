package import PluginKit

/// Who the application's run, the tracker and the view are, in texts.
package final class ViewIdentifiers {
    private let agent = KeptText()
    private let session = KeptText()
    private let view = KeptText()
    private let adBreak = KeptText()
    private var viewIndex: Int64 = 0
    private var breakIndex: Int64 = 0

    /// Draws the identifiers of a tracker; three random numbers are used, the last one for the tracker alone.
    package init(epochSeconds: Int64, random: () -> UInt64) {
        let high = random()
        let low = random()
        let suffix = random() % 10_000
        agent.build { Self.appendUUID(high, low, to: $0) }
        nameSession(epochSeconds, suffix)
    }

    private func nameSession(_ epochSeconds: Int64, _ suffix: UInt64) {
        session.build { buffer in
            Self.append(agent, to: buffer)
            buffer.append(UInt8(ascii: "-"))
            buffer.append(decimal: epochSeconds)
            buffer.append(decimal: suffix)
        }
        number(view, viewIndex)
        number(adBreak, breakIndex)
    }

    /// Draws the identifiers of a further tracker of the same agent; one random number is used.
    package init(of other: ViewIdentifiers, epochSeconds: Int64, random: () -> UInt64) {
        let suffix = random() % 10_000
        agent.build { Self.append(other.agent, to: $0) }
        nameSession(epochSeconds, suffix)
    }

    /// The run of the application, which here is the tracker's.
    package var agentSession: UTF8Text? { agent.text }

    /// The tracker.
    package var viewSession: UTF8Text? { session.text }

    /// The view.
    package var viewID: UTF8Text? { view.text }

    /// Goes on to the next view.
    package func beginNextView() {
        viewIndex += 1
        number(view, viewIndex)
    }

    /// The ad break, numbered from 1; 0 before the first.
    package var adBreakID: UTF8Text? { adBreak.text }

    /// Goes on to the next ad break.
    package func beginNextBreak() {
        breakIndex += 1
        number(adBreak, breakIndex)
    }

    private func number(_ text: KeptText, _ index: Int64) {
        text.build { buffer in
            Self.append(session, to: buffer)
            buffer.append(UInt8(ascii: "-"))
            buffer.append(decimal: index)
        }
    }

    private static func append(_ text: KeptText, to buffer: ByteBuffer) {
        guard let text = text.text else { return }
        unsafe buffer.append(text.bytes)
    }

    /// Writes 128 bits as a UUID of version 4, in upper case as iOS does.
    private static func appendUUID(_ high: UInt64, _ low: UInt64, to buffer: ByteBuffer) {
        let marked = (high & ~0xF000 | 0x4000, low & ~(0b11 << 62) | 0b10 << 62)
        for digit in 0..<32 {
            if [8, 12, 16, 20].contains(digit) { buffer.append(UInt8(ascii: "-")) }
            let word = digit < 16 ? marked.0 : marked.1
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 0xF
            buffer.append(Hex.digit(nibble, uppercase: true))
        }
    }
}
