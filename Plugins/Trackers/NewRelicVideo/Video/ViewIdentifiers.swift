package import PluginKit

/// Who the application's run, the tracker and the view are, in texts.
package final class ViewIdentifiers {
    private let agent: String
    private let session: String
    private let texts: (agent: KeptText, session: KeptText, view: KeptText, adBreak: KeptText)
    private var viewIndex: Int64 = 0
    private var breakIndex: Int64 = 0

    /// Draws the identifiers of a tracker; three random numbers are used, the last one for the tracker alone.
    package convenience init(epochSeconds: Int64, random: () -> UInt64) {
        let agent = Self.uuid(random(), random())
        self.init(agent: agent, epochSeconds: epochSeconds, random())
    }

    /// Draws the identifiers of a further tracker of the same agent; one random number is used.
    package convenience init(of other: ViewIdentifiers, epochSeconds: Int64, random: () -> UInt64) {
        self.init(agent: other.agent, epochSeconds: epochSeconds, random())
    }

    private init(agent: String, epochSeconds: Int64, _ random: UInt64) {
        self.agent = agent
        session = "\(agent)-\(epochSeconds)\(random % 10_000)"
        texts = (KeptText(agent), KeptText(session), KeptText("\(session)-0"), KeptText("\(session)-0"))
    }

    /// The run of the application, which here is the tracker's.
    package var agentSession: UTF8Text? { texts.agent.text }

    /// The tracker.
    package var viewSession: UTF8Text? { texts.session.text }

    /// The view.
    package var viewID: UTF8Text? { texts.view.text }

    /// The ad break, numbered from 1; 0 before the first.
    package var adBreakID: UTF8Text? { texts.adBreak.text }

    /// Goes on to the next view.
    package func beginNextView() {
        viewIndex += 1
        texts.view.build { $0.append("\(session)-\(viewIndex)") }
    }

    /// Goes on to the next ad break.
    package func beginNextBreak() {
        breakIndex += 1
        texts.adBreak.build { $0.append("\(session)-\(breakIndex)") }
    }

    /// 128 bits as a UUID of version 4, in upper case as iOS does.
    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        let buffer = ByteBuffer(capacity: 36)
        let marked = (high & ~0xF000 | 0x4000, low & ~(0b11 << 62) | 0b10 << 62)
        for digit in 0..<32 {
            if [8, 12, 16, 20].contains(digit) { buffer.append(UInt8(ascii: "-")) }
            let word = digit < 16 ? marked.0 : marked.1
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 0xF
            buffer.append(Hex.digit(nibble, uppercase: true))
        }
        return buffer.string
    }
}
