import ChildPrograms
import TestFiles
import Testing

/// What is wrong with a configuration is told with its place, by a check as by a start.
@Suite struct ConfigurationCheckTests {
    private let files = TemporaryFolder()

    /// A configuration that is wrong, where, and what is said of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let text: String
        let place: String
        let says: String
        var testDescription: String { says }
    }

    private static let faults = [
        Fault(
            text: "{ plugins: { jsonlines: { config: {\n  nonsense: 1 } } } }",
            place: "2:3",
            says: "nonsense"
        ),
        Fault(
            text: "{ collector: { tenants: {\n a: { keys: [\"x\"] },\n b: { keys: [\"y\",\n\"x\"] } } } }",
            place: "4:1",
            says: "one key is given twice, first at "
        ),
        Fault(
            text: "{ collector: { tenants: { a: { plugins: [\n\"none\"] } } } }",
            place: "2:1",
            says: "there is no instance named none"
        ),
        Fault(text: "{ collector: { tenants: {\n \"a/b\": {} } } }", place: "2:2", says: "a tenant's name has"),
        Fault(text: "{ collector: {\n listen: \"here\" } }", place: "2:2", says: "give an address and a port"),
        Fault(
            text: "{ collector: {\n listen: \"localhost:8095\", tenants: { a: { keys: [\"x\"] } } } }",
            place: "2:2",
            says: "localhost is no address: give one of this machine, such as 127.0.0.1:8095"
        ),
        Fault(
            text: "{ collector: { tenants: { a: { openAnalytics: true }, b: {\nopenAnalytics: true } } } }",
            place: "2:1",
            says: "events without a key are a's: one tenant can take them"
        ),
        Fault(
            text: "{ collector: { behindProxy: true, tenants: {\n a: {} } } }",
            place: "2:2",
            says: "a tenant has no keys"
        ),
        Fault(
            text: "{ collector: {\n tlsCertificate: \"cert.pem\" } }",
            place: "2:2",
            says: "cert.pem cannot be read"
        ),
    ]

    @Test("What a start refuses a check refuses, with file and line", arguments: faults)
    func refused(_ fault: Fault) async throws {
        let path = files.write("tally.json5", fault.text)
        let options = ["--config", path, "--folder", files.file("collected"), "--plugin-dir", TestFile.products]
        let listen = fault.text.contains("listen") ? [] : ["--listen", "127.0.0.1:0"]
        for more in [["--check"], listen] {
            let run = try await ChildProgram.run("tally-collector", options + more)
            #expect(run.code == 78, "\(run.errors)")
            #expect(run.errors.contains("\(path):\(fault.place): ") && run.errors.contains(fault.says), "\(run.errors)")
        }
        #expect(!TemporaryFolder.names(in: files.path).contains("collected"))
    }

    @Test(
        "An origin that no browser sends is refused with what to write",
        arguments: [
            ("https://www.example.org/", "write \"https://www.example.org\""),
            ("https://www.example.org/live?x", "write \"https://www.example.org\""),
            ("HTTPS://WWW.Example.org:443", "write \"https://www.example.org\""),
            ("http://example.org:80", "write \"http://example.org\""),
            ("www.example.org", "write \"https://www.example.org\""),
            ("https://*.example.org", "name each origin"),
            ("https://bücher.example", "in ASCII"),
            ("file:///", "a scheme and a host"),
        ]
    )
    func origin(_ origin: String, _ advice: String) async throws {
        let path = files.write("tally.json5", "{ collector: { tenants: { a: { origins: [\n\"\(origin)\"] } } } }")
        let run = try await ChildProgram.run("tally-collector", ["--check", "--config", path])
        #expect(run.code == 78 && run.errors.contains("\(path):2:1: ") && run.errors.contains(advice), "\(run.errors)")
    }

    @Test("Origins as browsers send them are taken, and a good configuration is told to be that")
    func good() async throws {
        let path = files.write(
            "tally.json5",
            """
            { plugins: { jsonlines: {} }, collector: { tenants: { a: { origins: [
                "https://a.example", "http://localhost:8080", "http://[::1]:3000", "capacitor://localhost", "null", "*",
            ] } } } }
            """
        )
        let run = try await ChildProgram.run(
            "tally-collector",
            ["--check", "--config", path, "--plugin-dir", TestFile.products]
        )
        #expect(run.code == 0 && run.errors.contains("the configuration is good: 1 tenant"), "\(run.errors)")
    }

    @Test("An address, a socket or a dashboard's port that another program has ends the start with 73")
    func taken() async throws {
        let (control, socket) = (files.file("control"), files.file("reports"))
        let first = try await RunningCollector(
            files.file("collected"),
            ["--control", control, "--set", "collector.socket=\"\(socket)\""]
        )
        let dashboard = ["--plugins", "dashboard", "--set", "plugins.dashboard.config.port=\(first.port)"]
        for options in [
            ["--control", control], ["--socket", socket], ["--listen", "127.0.0.1:\(first.port)"], dashboard,
        ] {
            let listen = options[0] == "--listen" ? [] : ["--listen", "127.0.0.1:0"]
            let other = try await ChildProgram.run(
                "tally-collector",
                ["--folder", files.file("other"), "--plugin-dir", TestFile.products] + listen + options
            )
            #expect(other.code == 73, "\(other.code): \(other.errors)")
            #expect(other.errors.contains("another program"), "\(other.errors)")
        }
        #expect(try await first.end() == 0)
    }
}
