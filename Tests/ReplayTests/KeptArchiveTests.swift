internal import CZstd
internal import ChildPrograms
import Testing

/// Archives that an earlier program wrote replay to what that program made of them, byte for byte.
struct KeptArchiveTests {
    private static let folder = "\(TestFile.repository)/Tests/ReplayTests/Archives/Kept"

    @Test(
        "An archive of an earlier program replays to the same bytes through all five trackers",
        arguments: ["playback", "ads", "runs"],
        [[], ["--as-recorded"], ["--jobs", "2"]]
    )
    func sameBytes(name: String, options: [String]) async throws {
        let plugins = try PluginFolder(plugins: [
            "new-relic-video", "nielsen-dcr", "mux-data", "adobe-analytics", "adobe-heartbeat", "jsonlines",
        ])
        let archive = "\(Self.folder)/\(name).tally.zst"
        let run = try await ChildProgram.replay(
            [archive, "-c", "\(Self.folder)/replay.json5", "--plugin-dir", plugins.path, "--quiet"] + options
        )
        // The runs have damaged lines among them.
        #expect(run.code == (name == "runs" ? 65 : 0), "\(run.errors)")
        let kept = options == ["--as-recorded"] ? "\(name).recorded" : name
        let expected = try Self.text("\(Self.folder)/\(kept).jsonl.zst")
        if run.output != expected {
            let lines = zip(run.lines, expected.split(separator: "\n")).enumerated().first { $1.0 != $1.1 }
            Issue.record("line \(lines?.offset ?? -1): \(lines?.element.0 ?? "") instead of \(lines?.element.1 ?? "")")
        }
    }

    /// The text of a file that is compressed with zstd.
    private static func text(_ path: String) throws -> String {
        let packed = try TestFile.bytes(path)
        let size = unsafe packed.withUnsafeBytes { unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        var bytes = [UInt8](repeating: 0, count: try #require(Int(exactly: size)))
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe packed.withUnsafeBytes { packed in
                unsafe ZSTD_decompress(bytes.baseAddress, bytes.count, packed.baseAddress, packed.count)
            }
        }
        try #require(count == bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }
}
