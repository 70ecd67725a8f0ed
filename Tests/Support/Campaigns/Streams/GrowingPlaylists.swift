internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import TestFiles

/// Makes a live stream of a stream that is complete: each playlist names four segments at first, and one more each half
/// second, until the event has ended.
struct GrowingPlaylists: Sendable {
    private static let window = 4

    /// Playlists by their path, each as its head and its entries.
    private let playlists: [(path: String, head: String, entries: [String])]
    private let segments: Int

    /// Reads the playlists at these paths; those that name other playlists are left alone.
    init(_ paths: [String], _ files: RoundFiles) {
        playlists = paths.compactMap { path in
            var (head, entries) = ("", [String]())
            var isEntry = false
            for line in files.lines(path) {
                if line.hasPrefix("#EXT-X-ENDLIST") || line.hasPrefix("#EXT-X-PLAYLIST-TYPE")
                    || line.hasPrefix("#EXT-X-MEDIA-SEQUENCE")
                {
                    continue
                }
                if line.hasPrefix("#EXTINF") {
                    isEntry = true
                    entries.append("")
                }
                if isEntry { entries[entries.count - 1] += line + "\n" } else { head += line + "\n" }
            }
            return entries.isEmpty ? nil : (path, head, entries)
        }
        segments = playlists.map(\.entries.count).max() ?? 0
    }

    /// Writes the first playlists.
    func begin(_ changed: (String, [UInt8]) -> [UInt8]) { write(last: Self.window, changed) }

    /// Lets them grow, from the first request of one of them on, until all is said or the task is cancelled.
    func grow(_ server: LoopbackServer, _ changed: (String, [UInt8]) -> [UInt8]) async throws {
        let names = Set(playlists.map { "/" + ($0.path.split(separator: "/").last ?? "") })
        _ = try await eventually {
            try Task.checkCancellation()
            return server.requests.contains { names.contains($0.path) }
        }
        for last in Self.window + 1..<max(segments, Self.window) + 1 {
            try await Task.sleep(for: .milliseconds(500))
            write(last: last, changed)
        }
    }

    private func write(last: Int, _ changed: (String, [UInt8]) -> [UInt8]) {
        for (path, head, entries) in playlists {
            let first = max(0, min(last, entries.count) - Self.window)
            let end = last >= entries.count ? "#EXT-X-ENDLIST\n" : ""
            let text =
                head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + entries[first..<min(last, entries.count)].joined() + end
            let bytes = changed(path.split(separator: "/").last.map(String.init) ?? "", Array(text.utf8))
            // In one step, so that nobody reads half of it.
            TestFile.write(bytes, to: path + ".part")
            unsafe rename(path + ".part", path)
        }
    }
}
