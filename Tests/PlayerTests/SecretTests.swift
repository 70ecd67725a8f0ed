internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing

/// Secrets are where they are needed, and nowhere else.
@Suite struct SecretTests {
    private static let inVariable = "planted-in-variable-4f1c09"
    private static let inFile = "planted-in-file-93bd27"
    private static let ofHashes = "planted-for-hashes-71aa5e"

    /// The variables that secrets come from.
    private static let variables = ["TALLY_PLANTED": inVariable, "TALLY_PLANTED_HASH": ofHashes]

    private let folder = TemporaryFolder()

    /// A configuration with all trackers and reporters, whose secrets come from the environment and from a file.
    private func configuration(_ server: LoopbackServer) -> String {
        let secret = folder.write("secret", Self.inFile + "\n")
        precondition(unsafe chmod(secret, 0o600) == 0)
        precondition(unsafe mkdir(folder.file("AdobeMobile"), 0o755) == 0)
        _ = folder.write(
            "AdobeMobile/ADBMobileConfig.json",
            #"{"version": "1.0", "analytics": {"rsids": "test", "server": "metrics.example.com"}}"#
        )
        let http =
            "retry: {first_ms: 5, longest_ms: 20, attempts: 3}, commit_ms: 20, drain_ms: 2000, tolerated: [\"refused\"]"
        return folder.write(
            "tally.json5",
            """
            {
                plugins: [
                    {plugin: "adobe-analytics", config: {debugLogging: true}},
                    {plugin: "adobe-heartbeat", config: {trackingServer: "heartbeats.example.com", jobId: "job",
                        publisher: "example", debugLogging: true}},
                    {plugin: "nielsen-dcr", config: {appid: "P10DF14BA-937E-436D-99DF-ED39A0422387",
                        content: {assetid: "film-1"}}},
                    {plugin: "new-relic-video", config: {delivery: {accountId: 1, endpoint: "\(server.url(of: "a"))"}}},
                    {plugin: "mux-data", config: {environmentKey: "abc123"}},
                    {name: "header", plugin: "http", config: {spool: "\(folder.file("header.db"))", \(http),
                        credentials: {"new-relic": {header: "Api-Key", environment: "TALLY_PLANTED"}}}},
                    {name: "query", plugin: "http", config: {spool: "\(folder.file("query.db"))", \(http),
                        credentials: {"new-relic": {query: "key", file: "\(secret)"}}}},
                    {plugin: "jsonlines", config: {path: "\(folder.file("out.jsonl"))", events: true}},
                    {plugin: "sqlite", config: {path: "\(folder.file("out.db"))"}},
                    {plugin: "console"},
                ],
                archive: "archives/",
                control: {socket: "\(folder.file("socket"))"},
                delivery: {
                    // No other vendor's server is called.
                    routes: [{reporter: "header", plugin: "new-relic-video"}, {reporter: "query", plugin: "new-relic-video"},
                        {reporter: "header", deliver: false}, {reporter: "query", deliver: false}],
                    privacy: [{attributes: ["video_id"], action: "hash", reporter: "jsonlines"}],
                    key: {environment: "TALLY_PLANTED_HASH"},
                },
            }
            """
        )
    }

    private func ctl(_ words: String...) async throws -> String {
        let result = try await ChildProgram.run(
            ["ctl", "--timeout", "300", "--control", folder.file("socket")] + words
        )
        return result.output + result.errors
    }

    /// All that is on the disk and was said, but for the file that holds a secret.
    private func leaks(_ secret: String, in said: [String]) -> [String] {
        let quoted = "'\(secret)'"
        let files = folder.file("found")
        _ = unsafe system("grep -rlaF -e \(quoted) \(folder.path) --exclude=secret --exclude=found > \(files)")
        let found = (try? TestFile.text(files).split(separator: "\n").map(String.init)) ?? []
        return found + said.filter { $0.contains(secret) }
    }

    @Test("A secret gets to its server, and is in no file, output, answer, log line or error message")
    func planted() async throws {
        // First answers that fail, so that there are tries, dead letters and messages about them.
        var setup = ServerConfiguration()
        setup.faults = [
            FaultRule(PathPattern("*"), Faults(status: 200)),
            FaultRule(PathPattern("*"), Faults(status: 403), limit: 2),
        ]
        let server = try LoopbackServer(setup)
        let config = configuration(server)
        var said: [String] = []
        let explained = try await ChildProgram.run(["--config", config, "--explain"], environment: Self.variables)
        said += [explained.output, explained.errors]
        #expect(explained.output.contains("TALLY_PLANTED") && explained.code == 0, "\(explained.errors)")
        said.append(
            try await ChildProgram.run(["--config", config, "--explain", "--json"], environment: Self.variables).output
        )
        said.append(
            try await ChildProgram.run(["--config", config, "--list-plugins", "--json"], environment: Self.variables)
                .output
        )
        let player = try ChildProgram.player(
            [
                TestMedia.shared.clip, "--config", config, "--verbose", "--json", "--repeat", "2",
            ],
            environment: Self.variables
        )
        #expect(await player.says("playing"))
        said.append(try await ctl("tap", "--count", "5"))
        for words in [["plugin", "list"], ["plugin", "show", "header"], ["stats"], ["status"], ["drain"]] {
            said.append(try await ctl("--json", words[0], Array(words.dropFirst()).joined(separator: " ")))
        }
        for name in ["header", "query"] {
            for command in ["stats", "dead_letters", "resend"] {
                said.append(try await ctl("--json", "plugin", "command", name, command))
            }
        }
        let result = try await player.outcome()
        said += [result.output, result.errors]
        #expect(result.code == 0, "\(result.errors)")
        let requests = server.requests
        #expect(requests.contains { $0.header("api-key") == Self.inVariable })
        #expect(requests.contains { $0.query?.contains("key=\(Self.inFile)") == true })
        for secret in [Self.inVariable, Self.inFile, Self.ofHashes] {
            #expect(leaks(secret, in: said) == [])
        }
        #expect(try TestFile.text(folder.file("out.jsonl")).contains("abc123"), "what is no secret is there")
    }

    @Test("An error about a secret names where it should be, and not what is there")
    func refused() async throws {
        let server = try LoopbackServer(ServerConfiguration())
        let config = configuration(server)
        precondition(unsafe chmod(folder.file("secret"), 0o644) == 0)
        let open = try await ChildProgram.run([TestMedia.shared.clip, "--config", config], environment: Self.variables)
        #expect(open.code != 0 && open.errors.contains("chmod 600"), "\(open.errors)")
        precondition(unsafe chmod(folder.file("secret"), 0o600) == 0)
        let variables = Self.variables.merging(["TALLY_PLANTED_HASH": "too-short-71aa"]) { $1 }
        let short = try await ChildProgram.run([TestMedia.shared.clip, "--config", config], environment: variables)
        #expect(short.code == 78 && short.errors.contains("delivery.key"), "\(short.errors)")
        for secret in [Self.inVariable, Self.inFile, "too-short-71aa"] {
            #expect(leaks(secret, in: [open.output, open.errors, short.output, short.errors]) == [])
        }
    }
}
