internal import PluginKit

/// Finds stalls in where the player says that its playhead stands.
///
/// The vendor looks every 25 ms. Here each report is looked at, and what it shows is dated from the reports: a stall
/// begins with the last movement. Times are whole milliseconds.
struct RebufferDetector {
    /// What a report shows.
    enum Finding: Equatable {
        /// Nothing.
        case none
        /// The playhead has stood still since a time: a stall that goes on.
        case started(Int64)
        /// The playhead moves again.
        case ended
        /// Between two reports the playhead stood still for a while.
        case short(start: Int64, end: Int64)
    }

    /// The playhead may stand still for so long before it is a stall.
    static let sustained: Int64 = 1000
    /// Between two reports the playhead may lag behind by so much.
    static let excess: Int64 = 250

    private var movedAt: Int64 = 0
    private var playhead: Int64?

    /// Looks at a report while the content is expected to move.
    ///
    /// - Parameters:
    ///   - playhead: where the player says that it stands, ms.
    ///   - time: wall clock of the report.
    ///   - rate: playback rate in thousandths.
    ///   - isRebuffering: whether a stall goes on.
    /// - Returns: what it shows.
    mutating func look(_ playhead: Int64, at time: Int64, rate: Int64, isRebuffering: Bool) -> Finding {
        guard let old = self.playhead, rate > 0 else {
            expect(from: playhead, at: time)
            return .none
        }
        guard playhead != old else {
            return !isRebuffering && time - movedAt >= Self.sustained ? .started(movedAt) : .none
        }
        let start = movedAt
        expect(from: playhead, at: time)
        if isRebuffering { return .ended }
        let behind = time - start - (playhead - old) * 1000 / rate
        return playhead > old && behind > Self.excess ? .short(start: start, end: start + behind) : .none
    }

    /// Begins to expect movement from a place.
    mutating func expect(from playhead: Int64?, at time: Int64) {
        self.playhead = playhead
        movedAt = time
    }

    /// Expects no movement.
    mutating func forget() { playhead = nil }
}

extension RebufferDetector: StateValue {
    static var blank: RebufferDetector { RebufferDetector() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&movedAt)
        transfer.carry(&playhead)
    }
}
