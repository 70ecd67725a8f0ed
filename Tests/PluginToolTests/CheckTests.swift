import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// `tally-plugin check` over plugins of which each breaks one rule.
struct CheckTests {
    /// In how many parts the bad plugins are tried, side by side.
    private static let parts = 3
    /// Checks of outputs, whose bad plugins are reporters.
    private static let ofReporters = ["take", "flush", "wants"]
    /// Checks that find what is no fault.
    private static let remarks = [
        "header-version": "warning", "init-explains": "warning", "memory-kept": "warning", "schema-refuses": "warning",
    ]
    /// Checks that end with the process, or without it.
    private static let ends = [
        "loads": "crashed", "destroy-at-once": "crashed", "init-refuses": "crashed", "extensions-withheld": "crashed",
        "numbers": "crashed", "refused": "hung",
    ]

    /// What the checks of a file came to: names and results of those that did not pass, without the skipped ones.
    private struct Found {
        let code: Int32
        let others: [String: String]
        let skipped: [JSONValue]

        init(_ path: String, _ options: [String] = []) async throws {
            let run = try await ChildProgram.run("tally-plugin", ["check", path, "--json"] + options)
            let checks = try JSONParser().parse(run.output)["checks"]?.array ?? []
            code = run.code
            var others: [String: String] = [:]
            for check in checks {
                let verdict = check["verdict"]?.string ?? ""
                if verdict != "passed", verdict != "skipped" { others[check["check"]?.string ?? ""] = verdict }
            }
            self.others = others
            skipped = checks.filter { $0["verdict"] == "skipped" }
            #expect(checks.count > 45 || !options.isEmpty, "\(run.output)\(run.errors)")
        }
    }

    private static func isOfReporter(_ check: String) -> Bool { ofReporters.contains { check.hasPrefix($0) } }

    @Test("A bad plugin fails exactly the check of the rule that it breaks", arguments: 0..<parts)
    func bad(part: Int) async throws {
        let plugins = try await BadPlugins()
        defer { withExtendedLifetime(plugins) {} }
        for (number, check) in try BadPlugins.names.enumerated() where number % Self.parts == part && number > 0 {
            let path = try await plugins.file(check, isReporter: Self.isOfReporter(check))
            // The sanitizer is started for the plugin that it is for, and for the good ones: it costs most of all.
            let found = try await Found(path, check == "memory-errors" ? [] : ["--without", "memory-errors"])
            #expect(found.others.count == 1 && found.others[check] != nil, "\(check): \(found.others)")
            if let remark = Self.remarks[check] {
                #expect(found.others[check] == remark && found.code == 0, "\(check): \(found.others)")
            } else {
                #expect(found.code == 1, "\(check)")
            }
            if let end = Self.ends[check] { #expect(found.others[check] == end, "\(check): \(found.others)") }
            let reasons = found.skipped.compactMap { $0["text"]?.string }
            #expect(reasons.allSatisfy { $0.contains(check) }, "\(check): \(reasons)")
        }
    }

    @Test("A good tracker and a good reporter pass every check", arguments: [false, true])
    func good(isReporter: Bool) async throws {
        let plugins = try await BadPlugins()
        defer { withExtendedLifetime(plugins) {} }
        let found = try await Found(try await plugins.file("none", isReporter: isReporter))
        #expect(found.others == [:] && found.code == 0)
        #expect(found.skipped.allSatisfy { $0["check"] == "memory-errors" }, "\(found.skipped)")
    }

    @Test(
        "What a plugin does to its process, and says where nothing is returned, is found whichever way it does it",
        arguments: [
            ("process-unchanged", "fork", "it makes a copy of the process by fork"),
            ("process-unchanged", "alarm", "a timer will send the process a signal (alarm, setitimer)"),
            ("process-unchanged", "block", "SIGUSR2 is blocked now, and was left to its default"),
            ("process-unchanged", "ignore", "SIGUSR1 is ignored now, and was left to its default"),
            ("process-unchanged", "setenv", "the variable BAD_SECRET of the environment has another value"),
            ("process-unchanged", "unsetenv", "the variable BAD_SECRET of the environment is gone"),
            ("session", "crash", "in on_event"),
            ("session", "on_timer", "on_timer explains an error: told in on_timer"),
        ]
    )
    func ways(check: String, how: String, text: String) async throws {
        let plugins = try await BadPlugins()
        defer { withExtendedLifetime(plugins) {} }
        let path = try await plugins.file(check, isReporter: false)
        let run = try await ChildProgram.run(
            "tally-plugin",
            ["check", path, "--json", "--without", "memory-errors"],
            environment: ["BAD_HOW": how, "BAD_SECRET": "hunter2"]
        )
        let checks = try JSONParser().parse(run.output)["checks"]?.array ?? []
        let faults = checks.filter { $0["verdict"] != "passed" && $0["verdict"] != "skipped" }
        #expect(faults.compactMap { $0["check"]?.string } == [check], "\(faults)")
        #expect(faults.first?["text"]?.string?.contains(text) == true, "\(faults)")
        // Copies that went on would answer as well.
        if how == "fork" { #expect(faults.first?["text"]?.string == text, "\(faults)") }
        #expect(!run.output.contains("hunter"), "\(run.output)")
    }

    @Test("There is a bad plugin for each check of the list")
    func complete() async throws {
        let run = try await ChildProgram.run("tally-plugin", ["check", "--list"])
        let listed = run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(listed.count >= 45)
        #expect(Set(listed) == Set(try BadPlugins.names.dropFirst()))
    }

    @Test("A check is made with those that it needs, and named where there is none")
    func only() async throws {
        let plugins = try await BadPlugins()
        defer { withExtendedLifetime(plugins) {} }
        let path = try await plugins.file("session", isReporter: false)
        let run = try await ChildProgram.run("tally-plugin", ["check", path, "--only", "texts"])
        #expect(run.code == 1 && run.output.contains("skipped texts"), "\(run.output)")
        #expect(run.output.contains("session failed") && run.output.contains("What to do: "), "\(run.output)")
        #expect(!run.output.contains("blocks"), "\(run.output)")
        let unknown = try await ChildProgram.run("tally-plugin", ["check", path, "--only", "nothing"])
        #expect(unknown.code == 64 && unknown.errors.contains("--list"), "\(unknown.errors)")
    }

    @Test("What build servers read has a case for each check, and a failure where one is")
    func junit() async throws {
        let plugins = try await BadPlugins()
        defer { withExtendedLifetime(plugins) {} }
        let folder = TemporaryFolder()
        let path = try await plugins.file("names", isReporter: false)
        let words = ["check", path, "--only", "names", "--junit", folder.file("junit.xml"), "--quiet"]
        let run = try await ChildProgram.run("tally-plugin", words)
        let text = try TestFile.text(folder.file("junit.xml"))
        #expect(run.code == 1 && text.contains("failures=\"1\"") && text.contains("name=\"names\""), "\(text)")
        #expect(!run.output.contains("passed  "), "\(run.output)")
    }
}
