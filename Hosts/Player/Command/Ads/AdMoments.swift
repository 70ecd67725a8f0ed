internal import Advertising
internal import Glibc
internal import Streaming
internal import System
internal import Tally
internal import TextEncoding

/// Knows what the macros of ad documents become at the present moment; used from any thread.
struct AdMoments: Sendable {
    private let snapshot: Lock<PlayerSnapshot>
    private let transactionID = Self.uuid()

    /// The moments of one main content.
    init(_ snapshot: Lock<PlayerSnapshot>) {
        self.snapshot = snapshot
    }

    /// The present moment, in a break if one is meant.
    func moment(_ use: AdMoment.Use, in scheduled: ScheduledBreak? = nil) -> AdMoment {
        let snapshot = snapshot.with { $0 }
        var moment = AdMoment(use)
        moment.timestamp = Self.now()
        moment.player = "tally-player/" + TallyVersion.core
        moment.userAgent = "tally-player"
        moment.transactionID = transactionID
        moment.content = snapshot.source
        moment.contentMs = snapshot.playheadMs ?? 0
        moment.isMuted = snapshot.isMuted
        moment.isFullscreen = snapshot.isFullscreen ?? false
        moment.playerSize = snapshot.playerSize.map { (Int($0.width), Int($0.height)) }
        guard let scheduled else { return moment }
        moment.breakType = scheduled.type
        moment.maxAds = scheduled.isSingle ? 1 : AdResolver.podLimit
        moment.maxSeconds = scheduled.interstitial?.playoutLimitUs.map { $0 / 1_000_000 }
        return moment
    }

    /// The moment of a failure.
    func moment(of failure: AdFailure, in scheduled: ScheduledBreak? = nil) -> AdMoment {
        let code = failure.code
        return moment(.error(vast: code.vast, vmap: code.vmap, message: failure.message), in: scheduled)
    }

    /// The present time in UTC, such as `2026-01-17T08:15:07.000Z`.
    private static func now() -> String {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let date = CivilDate(microsecondsSinceEpoch: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
        let buffer = ByteBuffer(capacity: 32)
        date.appendISO8601(to: buffer, fractionDigits: 3)
        return buffer.string
    }

    /// A random UUID (RFC 9562, version 4).
    private static func uuid() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { Hex.text(Array(bytes[$0])) }.joined(separator: "-")
    }
}
