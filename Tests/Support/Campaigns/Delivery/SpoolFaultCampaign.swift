internal import ChildPrograms
internal import Glibc
internal import TextEncoding

/// Lets system calls on the spool of the reporter `http` fail while a replay delivers: no full disk, device fault,
/// interruption or short write ends it badly, and no beacon is lost.
///
/// Rounds with an even seed let one call fail: call 1 with each kind of fault in turn, then call 2, and so on. Rounds with
/// an odd seed let calls fail by chance, and end the program with SIGKILL besides.
package struct SpoolFaultCampaign: Campaign {
    private static let kinds = ["enospc", "eio", "eintr", "short"]
    private static let beacons = 60

    private let binaries: String
    private let folder: String

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    /// They mostly wait.
    package var roundsAtOnce: Int { 4 }

    package func round(seed: UInt64) async -> String? {
        do {
            let delivery = try FaultyDelivery(
                binaries: binaries,
                base: "\(folder)/tally-faults-\(getpid())-\(seed)",
                beacons: Self.beacons
            )
            return seed % 2 == 0 ? try await oneFault(seed / 2, delivery) : try await manyFaults(seed, delivery)
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Rounds

    private func oneFault(_ number: UInt64, _ delivery: FaultyDelivery) async throws -> String? {
        let kind = Self.kinds[Int(number % 4)]
        let call = number / 4 + 1
        let code = try await delivery.start(faults: ["AT": "\(call)", "KIND": kind]).end()
        let what = "\(kind) at call \(call)"
        switch code {
        case 0:
            if let problem = try delivery.problem ?? delivery.replay.miscount() { return "\(what): \(problem)" }
        // It said that not all is safe, or could not begin.
        case 73, 74: break
        default: return "\(what): the replay ended with \(code): \(delivery.replay.said)"
        }
        let again = try await delivery.start().end()
        guard again == 0 else {
            return "\(what): the replay behind it ended with \(again): \(delivery.replay.said)"
        }
        if let problem = delivery.problem { return "\(what), again: \(problem)" }
        let twice = delivery.arrivals.duplicates().count
        return twice == 0 ? nil : "\(what): \(twice) beacons arrived twice"
    }

    private func manyFaults(_ seed: UInt64, _ delivery: FaultyDelivery) async throws -> String? {
        var random = SplitMix64(seed: seed)
        delivery.replay.settings = ["drain_ms": "1000", "patience_ms": "500"]
        for _ in 0..<3 {
            let every = 2 + random.next() % 40
            let program = try delivery.start(
                faults: ["KIND": "all", "EVERY": "\(every)", "SEED": "\(random.next() % 1_000_000)"]
            )
            var expected: [Int32] = [0, 73, 74]
            if random.next() % 2 == 0 {
                try await Task.sleep(for: .microseconds(Int(20_000 + random.next() % 200_000)))
                program.send(SIGKILL)
                expected.append(-SIGKILL)
            }
            let code = try await program.end()
            guard expected.contains(code) else {
                return "one call in \(every): ended with \(code): \(delivery.replay.said)"
            }
        }
        delivery.replay.settings = [:]
        let code = try await delivery.start().end()
        guard code == 0 else { return "the last replay ended with \(code): \(delivery.replay.said)" }
        return delivery.problem
    }
}
