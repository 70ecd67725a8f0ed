internal import ChildPrograms
internal import Glibc

/// A replay whose spool finds no room from some moment on: it ends with an error within its patience, and what was
/// committed is sent; when there is room again, another one brings the rest, and only that.
package struct FullDiskRound {
    /// Each beacon has about 2 KiB: all together are more than what may wait in memory.
    private static let beacons = 10_000

    private let binaries: String
    private let folder: String

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    /// Runs it, with room for so many system calls; gives what went wrong, nil when all went well.
    package func run(calls: Int) async -> String? {
        do {
            let delivery = try FaultyDelivery(
                binaries: binaries,
                base: "\(folder)/tally-full-\(getpid())-\(calls)",
                beacons: Self.beacons,
                path: "collect?\(String(repeating: "x", count: 2_000))"
            )
            delivery.replay.settings = ["patience_ms": "300", "drain_ms": "500"]
            let code = try await delivery.start(faults: ["KIND": "enospc", "AFTER": "\(calls)"]).end()
            let said = delivery.replay.said
            guard code == 74 else { return "with a full disk the replay ended with \(code): \(said)" }
            guard said.contains("nothing more is taken"), said.contains("make room on that disk") else {
                return "the replay does not say why: \(said)"
            }
            guard delivery.requests < Self.beacons else { return "everything was sent in spite of the full disk" }
            // The end waits until all is sent, however slow the machine or what watches the program is.
            delivery.replay.settings = ["concurrency": "16", "drain_ms": "600000"]
            let again = try await delivery.start().end()
            guard again == 0 else { return "the replay behind it ended with \(again): \(delivery.replay.said)" }
            return delivery.problem
        } catch {
            return "\(error)"
        }
    }
}
