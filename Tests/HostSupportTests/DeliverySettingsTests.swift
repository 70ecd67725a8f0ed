import Glibc
import HostSupport
import Tally
import Testing
import TextEncoding

/// The key `delivery` of a configuration.
@Suite struct DeliverySettingsTests {
    private let folder = TemporaryFolder()
    private let syntax = CommandLineSyntax(program: "host", summary: "Tests.", settings: HostSettings.options)

    private func setup(_ delivery: String) throws -> HostSetup {
        let config = folder.write("tally.json5", "{\ndelivery: \(delivery)}")
        guard case .run(let arguments) = try syntax.parse(["--config", config]) else {
            preconditionFailure("the options ask for help")
        }
        return try HostSetup(arguments, section: .replay)
    }

    /// The messages of the error, without the file's path; empty when all is well.
    private func problems(_ delivery: String) throws -> [String] {
        do {
            let telemetry = try setup(delivery).telemetry(Telemetry.Options())
            telemetry.close()
            return []
        } catch let error as HostError {
            #expect(error.exitCode == .badConfiguration)
            return error.messages.map { $0.replacing(folder.path + "/tally.json5:", with: "") }
        }
    }

    @Test(
        "What cannot be used is told with its place, its key and what to do",
        arguments: [
            ("{route: []}", "2:12: delivery.route: the key \"route\" is not known; did you mean \"routes\"?"),
            (
                "{routes: [{deliver: false, percent: 3}]}",
                "2:38: delivery.routes.0.percent: nothing is delivered, so no share of it; remove \"deliver\" or \"percent\""
            ),
            (
                "{routes: [{by: \"run\"}]}",
                "2:22: delivery.routes.0.by: it says of what a share is taken; add \"percent\""
            ),
            (
                "{routes: [{percent: 101}]}",
                "2:31: delivery.routes.0.percent: found an integer 101, expected 100 or less"
            ),
            (
                "{privacy: [{action: \"drop\"}]}",
                "2:22: delivery.privacy.0: it names nothing; add \"attributes\", \"personal: true\" or \"pattern\""
            ),
            (
                "{privacy: [{attributes: [\"a\"]}]}",
                "2:22: delivery.privacy.0: the key \"action\" is missing; set it to \"drop\", \"hash\" or \"mask\""
            ),
            (
                "{privacy: [{attributes: [\"a\"], action: \"drop\", keep: 1}]}",
                "2:57: delivery.privacy.0.keep: only \"mask\" keeps a beginning; remove it or set \"action\" to \"mask\""
            ),
            (
                "{privacy: [{pattern: \"a\"}]}",
                "2:22: delivery.privacy.0: the key \"replacement\" is missing; add it, \"\" takes the text out"
            ),
            (
                "{privacy: [{pattern: \"a\", replacement: \"\", action: \"drop\"}]}",
                "2:53: delivery.privacy.0.action: a rule with \"pattern\" is for beacons; make another rule for attributes"
            ),
            (
                "{privacy: [{personal: true, action: \"drop\", in: [\"url\"]}]}",
                "2:54: delivery.privacy.0.in: it goes with \"pattern\", which is missing; add it"
            ),
            (
                "{privacy: [{attributes: [\"a\"], action: \"hash\"}]}",
                "2:12: delivery.privacy.0: a hash needs a secret that goes into it; add \"key\" to \"delivery\", "
                    + "with \"environment\" or \"file\""
            ),
            (
                "{key: {environment: \"TALLY_TEST_NOT_SET\"}}",
                "2:12: delivery.key: the environment variable TALLY_TEST_NOT_SET is not set; set it"
            ),
            ("{key: {}}", "2:12: delivery.key: give it either \"environment\" or \"file\""),
        ]
    )
    func refused(delivery: String, problem: String) throws {
        // A place is that of the key or of the nearest part around it.
        let found = try problems(delivery)
        let text = problem.drop { $0 != " " }
        #expect(found.count == 1 && found[0].hasSuffix(text), "\(found)")
        #expect(found.first?.hasPrefix("2:") == true, "\(found)")
    }

    @Test("A pattern that is none is refused with what the system says")
    func pattern() throws {
        let found = try problems("{privacy: [{pattern: \"(\", replacement: \"\"}]}")
        #expect(
            found.count == 1 && found[0].contains("delivery.privacy.0.pattern: no POSIX extended regular expression")
        )
    }

    @Test("A key in a file has to be its owner's alone and long enough")
    func key() throws {
        let file = folder.write("key", "0123456789abcdef\n")
        let rules = "{privacy: [{attributes: [\"a\"], action: \"hash\"}], key: {file: \"key\"}}"
        precondition(unsafe chmod(file, 0o644) == 0)
        #expect(try problems(rules).first?.contains("chmod 600") == true)
        precondition(unsafe chmod(file, 0o600) == 0)
        #expect(try problems(rules) == [])
        _ = folder.write("key", "short\n")
        #expect(try problems(rules).first?.contains("fewer than 16 bytes") == true)
    }

    @Test("An explanation shows each rule with its place, and warns of a reporter that is not there")
    func explained() throws {
        let setup = try setup("{routes: [{reporter: \"htpp\", deliver: false}], key: {environment: \"SOME_KEY\"}}")
        let explained = EffectiveConfiguration(setup, canEnable: false)
        let text = explained.text(on: .init(isTerminal: false, hasColour: false))
        #expect(
            text.contains(#"delivery.routes.0"#) && text.contains(#"{"reporter":"htpp","deliver":false}"#),
            "\(text)"
        )
        #expect(text.contains("delivery.key.environment") && text.contains("SOME_KEY"))
        #expect(explained.warnings.contains { $0.contains("delivery.routes.0 is for the reporter htpp") })
    }
}
