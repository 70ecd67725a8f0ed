package import ChildPrograms
internal import Glibc
internal import TestFiles

/// A replay of what it is written, which goes on until it is told that there is no more: meanwhile it is scraped.
package final class ScrapedReplay {
    /// The address of the metrics.
    package private(set) var address = ""
    /// The host with its port.
    package var target: String { String(address.dropFirst("http://".count).dropLast("/metrics".count)) }
    /// The database that the reporter `sqlite` makes of the same.
    package var database: String { folder.file("tally.db") }

    private let folder = TemporaryFolder()
    private let program: ChildProgram
    private let pipe: Int32

    /// Starts it with the programs and plugins in `binaries`, and more of the reporter's configuration.
    package init(binaries: String, _ configuration: [String: String] = [:]) async throws {
        let input = folder.file("lines")
        _ = unsafe mkfifo(input, 0o600)
        // For both, so that neither side waits for the other to open it.
        pipe = unsafe open(input, O_RDWR | O_CLOEXEC)
        let settings = configuration.merging(["port": "0"]) { own, _ in own }
        program = try ChildProgram(
            "\(binaries)/tally-replay",
            ["-", "--plugin-dir", binaries, "--plugins", "prometheus,sqlite", "--set"]
                + ["plugins.sqlite.config.path=\"\(folder.file("tally.db"))\""]
                + settings.sorted { $0.key < $1.key }.flatMap {
                    ["--set", "plugins.prometheus.config.\($0.key)=\($0.value)"]
                },
            input: input
        )
        let isUp = await eventually { program.errors.contains("metrics are at ") || program.state != .running }
        let said = program.errors
        guard isUp, let place = said.firstMatch(of: /metrics are at (http:\S+)/) else { throw Failure(said: said) }
        address = String(place.output.1)
    }

    deinit {
        close(pipe)
        program.send(SIGKILL)
    }

    /// The replay did not begin.
    package struct Failure: Error {
        package let said: String
    }

    /// What it says.
    package var errors: String { program.errors }

    /// Writes lines of an archive.
    package func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(pipe, $0.baseAddress, min($0.count, 4096)) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// What curl says to a request.
    package func get(_ more: String..., path: String = "") async throws -> ChildProgram.Outcome {
        try await ChildProgram.run(
            "/usr/bin/curl",
            ["-sS", "-w", "\n%{http_code} %{content_type}\n", address + path] + more
        )
    }

    /// The metrics in OpenMetrics.
    package func metrics() async throws -> String {
        try await get("-H", "Accept: application/openmetrics-text").output
    }

    /// Waits until so many sessions have ended.
    package func awaitSessions(_ number: Int) async throws {
        var text = ""
        _ = await eventually {
            text = (try? await metrics()) ?? ""
            return Self.sum("tally_sessions_ended_total", in: text) >= Double(number)
        }
        guard Self.sum("tally_sessions_ended_total", in: text) == Double(number) else { throw Failure(said: text) }
    }

    /// The sum of a sample over all labels.
    package static func sum(_ name: String, in text: String) -> Double {
        text.split(separator: "\n").filter { $0.hasPrefix("\(name) ") || $0.hasPrefix("\(name){") }
            .compactMap { line in
                let plain = line.split(separator: " # ").first ?? line
                return plain.split(separator: " ").last.flatMap { Double($0) }
            }.reduce(0, +)
    }
}
