import CZlib
import CZstd
import Glibc
import Tally
import TallyTesting
import TestFiles
import TextEncoding

/// A folder with the files that the reporter writes, removed with this object.
final class Lines {
    var folder: String { own.path }
    private let own = TemporaryFolder()

    /// The file that is written.
    var path: String { folder + "/out.jsonl" }

    /// Names of all files, in order.
    var names: [String] { own.names.filter { !$0.hasPrefix(".") } }

    /// Names of finished files, in order.
    var finished: [String] { names.filter { $0.hasPrefix("out.jsonl.") && !$0.hasSuffix(".part") } }

    /// The numbers of finished files; one that a kill left compressed and as it was is one.
    var numbers: Set<String> { Set(finished.map { String($0.dropFirst("out.jsonl.".count).prefix(6)) }) }

    /// Everything that was written, in order: the finished files by number, then the one that is written.
    ///
    /// Of a file that is there twice, because its compression was cut short after it was done, one is read.
    func contents() -> [UInt8] {
        var numbers: Set<String> = []
        var bytes: [UInt8] = []
        for name in finished where numbers.insert(String(name.dropFirst("out.jsonl.".count).prefix(6))).inserted {
            bytes += content(of: name)
        }
        return bytes + content(of: "out.jsonl")
    }

    /// What a file holds, without its compression.
    func content(of name: String) -> [UInt8] {
        name.hasSuffix(".zst") ? unpacked(bytes(of: name)) : bytes(of: name)
    }

    /// The bytes of a file; what is in the form of gzip is read through it.
    private func bytes(of name: String) -> [UInt8] {
        guard let file = unsafe gzopen(folder + "/" + name, "r") else { return [] }
        defer { unsafe gzclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe gzread(file, &chunk, UInt32(chunk.count))
            if count <= 0 { return bytes }
            bytes += chunk[..<Int(count)]
        }
    }

    private func unpacked(_ packed: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 24)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe packed.withUnsafeBytes { packed in
                unsafe ZSTD_decompress(bytes.baseAddress, bytes.count, packed.baseAddress, packed.count)
            }
        }
        return ZSTD_isError(count) == 0 ? Array(bytes[..<count]) : []
    }

    /// The reporter as a host configures it.
    func plugins(_ configuration: JSONObject = [:]) -> [PluginSelection] {
        var members: JSONObject = ["path": .string(path), "events": true]
        for member in configuration {
            members[member.key] = member.value
        }
        return [PluginSelection("org.tally.reporter.jsonlines", name: "jsonlines", configuration: .object(members))]
    }

    /// Its file.
    static let sources = [PluginSource.file(PluginFiles.plugin("jsonlines"))]

    /// A run of so many events that is written.
    @discardableResult
    func record(events: Int, _ configuration: JSONObject = [:], id: String = "virtualrun01") throws -> RecordedRun {
        var virtual = VirtualRun(plugins: plugins(configuration), sources: Self.sources)
        virtual.id = id
        return try virtual.record { player, run, clock in
            player.perform(.load, on: run)
            for number in 1...events {
                clock.advance(to: Int64(number) * 1_000)
                player.perform(.quality, on: run)
                run.pump()
                // A run never waits for a reporter: on a busy machine it would lose some of so many.
                if number % 1_000 == 0 { _ = try? run.command(plugin: "jsonlines", "checkpoint") }
            }
            player.perform(.unload, on: run)
        }
    }
}
