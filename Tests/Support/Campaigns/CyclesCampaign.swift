internal import ChildPrograms
internal import Glibc

/// 500 starts and stops of a file and of an adaptive stream: memory stays, and no thread or descriptor is left over.
package enum CyclesCampaign {
    /// How much more memory there may be at the end than after the first fifth, KiB.
    private static let growthLimitKiB = 2048
    /// What GStreamer 1.22 itself keeps of each cycle of an adaptive stream, KiB; `docs/limits.md` says of what.
    private static let engineKiB = 4

    /// Runs the cycles over the media in a folder, says what the process holds at each fifth, and what is wrong.
    ///
    /// The server is a process of its own, in `binaries`: it remembers its requests, and has a thread for each
    /// connection.
    package static func run(
        _ count: Int,
        seed: UInt64,
        media: String,
        binaries: String,
        say: (String) -> Void
    ) async throws -> String? {
        ProcessFootprint.gatherMemory()
        let folder = RoundFiles(folder: "/tmp/tally-cycles-\(getpid())")
        folder.create()
        defer { folder.remove() }
        let server = try ChildProgram("\(binaries)/media-server", ["--root", media], output: folder.log, joined: true)
        defer { server.send(SIGTERM) }
        let cycles = try PlaybackCycles(
            [media + "/clip.mp4", try await address(in: folder) + "hls/master.m3u8"],
            archive: folder.archive
        )
        var footprints: [ProcessFootprint] = []
        let step = max(count / 5, 1)
        try cycles.run(count, seed: seed) { done in
            guard done % step == 0 else { return }
            footprints.append(footprint(after: footprints.first))
            say("after \(done) cycles: \(footprints[footprints.count - 1])")
        }
        guard let first = footprints.first, let last = footprints.last else { return nil }
        let growthKiB = last.anonymousKiB - first.anonymousKiB
        if growthKiB > growthLimitKiB + engineKiB * count { return "\(growthKiB) KiB more are held at the end" }
        if last.threads > first.threads { return "\(last.threads - first.threads) threads are left over" }
        if last.descriptors > first.descriptors + 2 {
            return "\(last.descriptors - first.descriptors) descriptors are left over"
        }
        return nil
    }

    /// What the process holds once it holds no more threads and descriptors than at first.
    ///
    /// A thread of the engine or of its HTTP client may end a little after the playback; what is left over after half a
    /// minute, stays.
    private static func footprint(after first: ProcessFootprint?) -> ProcessFootprint {
        var footprint = ProcessFootprint()
        guard let first else { return footprint }
        for _ in 0..<600 where footprint.threads > first.threads || footprint.descriptors > first.descriptors + 2 {
            usleep(50_000)
            footprint = ProcessFootprint()
        }
        return footprint
    }

    /// The address that the server says when it listens.
    private static func address(in folder: RoundFiles) async throws -> String {
        var address: String?
        _ = await eventually {
            let words = folder.read(folder.log).split(whereSeparator: \.isWhitespace)
            address = words.first { $0.hasPrefix("http://") && $0.hasSuffix("/") }.map(String.init)
            return address != nil
        }
        guard let address else {
            throw RoundFailure("media-server does not say its address: \(folder.read(folder.log))")
        }
        return address
    }
}
