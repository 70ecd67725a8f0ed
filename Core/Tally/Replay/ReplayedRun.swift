internal import Coordinator
internal import Glibc

/// One player run of an archive that is being replayed.
@safe final class ReplayedRun {
    let coordinator: Coordinator
    /// The number that the next line should have.
    var expected: UInt64 = 1
    /// Holds the run to the wanted speed.
    var pace: ReplayPace
    private let id: [UInt8]

    init(id: String, coordinator: Coordinator, pace: ReplayPace) {
        self.id = Array(id.utf8)
        self.pace = pace
        self.coordinator = coordinator
    }

    /// Whether a line's run is this one.
    func has(_ run: UTF8Text) -> Bool {
        guard run.count == id.count else { return false }
        return unsafe id.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe memcmp(start, run.start, bytes.count) == 0
        }
    }
}
