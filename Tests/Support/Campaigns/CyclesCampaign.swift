internal import LoopbackServer

/// 500 starts and stops of a file and of an adaptive stream: memory stays, and no thread or descriptor is left over.
package enum CyclesCampaign {
    /// How much more memory there may be at the end than after the first fifth, KiB.
    private static let growthLimitKiB = 2048
    /// What the server, which is in the same process and remembers its requests, may hold in addition for each cycle, KiB.
    private static let serverKiB = 6

    /// Runs the cycles over the media in a folder, says what the process holds at each fifth, and what is wrong.
    package static func run(_ count: Int, seed: UInt64, media: String, say: (String) -> Void) throws -> String? {
        ProcessFootprint.gatherMemory()
        let server = try LoopbackServer(ServerConfiguration(root: media))
        defer { server.stop() }
        let cycles = try PlaybackCycles(
            [media + "/clip.mp4", server.url(of: "hls/master.m3u8")],
            archive: "/tmp/tally-cycles.tally"
        )
        var footprints: [ProcessFootprint] = []
        let step = max(count / 5, 1)
        try cycles.run(count, seed: seed) { done in
            guard done % step == 0 else { return }
            footprints.append(ProcessFootprint())
            say("after \(done) cycles: \(footprints[footprints.count - 1])")
        }
        guard let first = footprints.first, let last = footprints.last else { return nil }
        let growthKiB = last.anonymousKiB - first.anonymousKiB
        if growthKiB > growthLimitKiB + serverKiB * count { return "\(growthKiB) KiB more are held at the end" }
        if last.threads > first.threads { return "\(last.threads - first.threads) threads are left over" }
        if last.descriptors > first.descriptors + 2 {
            return "\(last.descriptors - first.descriptors) descriptors are left over"
        }
        return nil
    }
}
