import Campaigns
import ChildPrograms
import Glibc
import TestFiles
import Testing

/// The commands of docs/collector.md, and what is installed beside the program.
@Suite struct DocumentedCommandTests {
    private let files = TemporaryFolder()

    @Test("The page's first commands collect its batch, and its other ones replay the archive and report of it")
    func tenMinutes() async throws {
        let begin = try CollectorPage.block("sh", below: "## Ten minutes to a dashboard")
            .replacing("\\\n", with: "").replacing("\n", with: "")
        let path = "PATH='\(TestFile.products)':$PATH"
        let ports = "--listen 127.0.0.1:0 --set plugins.dashboard.config.port=0"
        let collector = try ChildProgram("/bin/sh", ["-c", "cd '\(files.path)'; \(path); exec \(begin) \(ports)"])
        #expect(await collector.says("dashboard is at http://127.0.0.1:"), "\(collector.errors)")
        #expect(await collector.says("takes reports on http://127.0.0.1:"), "\(collector.errors)")
        let place = try #require(collector.errors.split(separator: "127.0.0.1:").last)
        let connection = CollectorConnection(port: try #require(UInt16(place.prefix { $0.isNumber })))
        let batch = try CollectorPage.block("json", below: "### Tally's own form")
        #expect(connection.post("/runs/page", Array(batch.utf8))?.safe == 5)
        let archived = "tally_collector_archived_runs_total 1\n"
        #expect(await eventually { connection.get("/metrics")?.contains(archived) == true })
        collector.send(SIGTERM)
        #expect(try await collector.end() == 0)

        let report = try await CollectorPage.run(
            "tally-replay report --depth 9 collected/archives -o report.html",
            in: files.path
        )
        #expect(report.code == 0, "\(report.errors)")
        #expect(report.errors.contains("player runs  1"), "\(report.errors)")
        #expect(try TestFile.text(files.file("report.html")).contains("</html>"))
        // Nothing of the tenant that the page names was sent here, but of the one that needs no key.
        let others = try CollectorPage.block("sh", below: "## Archives").replacing("/web", with: "/default")
        let replay = try await CollectorPage.run(others, in: files.path)
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(replay.output.contains("page ") && replay.output.contains("mux-data"))
    }

    @Test("The page's imports read the logs that they name")
    func logs() async throws {
        let said = "cid%3D%22film%22%2Csid%3D%22s1%22"
        files.write(
            "access.log",
            "1.2.3.4 - - [26/Nov/2026:10:00:00 +0000] \"GET /1.m4s?CMCD=br%3D2400%2Cot%3Dv%2C\(said) HTTP/1.1\" 200 512 "
                + "\"-\" \"x\"\n"
        )
        let fields =
            "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) "
            + "cs(User-Agent) cs-uri-query"
        let values =
            "2026-11-26 10:00:02 FRA2 512 1.2.3.4 GET d1.cloudfront.net /1.m4s 200 - x "
            + "CMCD=br%3D2400%2Cot%3Dv%2C\(said.replacing("s1", with: "s2"))"
        let log = files.write(
            "cloudfront",
            "#Version: 1.0\n#Fields: \(fields)\n\(values.split(separator: " ").joined(separator: "\t"))\n"
        )
        let commands = try CollectorPage.block("sh", below: "### Access logs")
            .replacing("/var/log/nginx/", with: "")
        let pack = "gzip -c \(log) >E2ABC.2026-11-26-10.gz\n"
        let made = try await CollectorPage.run(pack + commands, in: files.path)
        #expect(made.code == 0, "\(made.errors)")
        #expect(
            made.errors.split(separator: "\n").count { $0.contains("added 1 run to collected/archives/web") } == 2,
            "\(made.errors)"
        )
    }

    @Test("The page's tenants, and the configuration that is installed, are right", arguments: [true, false])
    func configurations(isOfPage: Bool) async throws {
        let path =
            isOfPage
            ? files.write("tally.json5", try CollectorPage.block("json5", below: "## Tenants"))
            : Repository.path("Hosts/Collector/Deployment/collector.json5")
        let made = try await ChildProgram.run(
            "tally-collector",
            ["--check", "--config", path, "--plugin-dir", TestFile.products]
        )
        #expect(made.code == 0, "\(made.errors)")
    }

    /// The value of a key of the service, over broken lines.
    private func service(_ key: String) throws -> String {
        let text = try TestFile.text(Repository.path("Hosts/Collector/Deployment/tally-collector.service"))
            .replacing("\\\n", with: "")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(key)=") })
        return String(line.dropFirst(key.count + 1))
    }

    @Test("The service's command begins a collector in its own folder")
    func service() async throws {
        // As systemd puts them: several folders stand in one variable, with colons between.
        let states = try service("StateDirectory").split(separator: " ").map { files.file("state/\($0)") }
        let command = try service("ExecStart")
            .replacing("/usr/bin/", with: TestFile.products + "/")
            .replacing("${CREDENTIALS_DIRECTORY}", with: Repository.path("Hosts/Collector/Deployment"))
            .replacing("${STATE_DIRECTORY}", with: states.joined(separator: ":"))
            .replacing("${RUNTIME_DIRECTORY}", with: files.path)
            .replacing("%S", with: files.file("state")).replacing("%t/tally-collector", with: files.path)
        let local = "--listen 127.0.0.1:0 --set plugins.dashboard.config.port=0 --plugin-dir '\(TestFile.products)'"
        let folders = states.map { "'\($0)'" }.joined(separator: " ")
        let collector = try ChildProgram("/bin/sh", ["-c", "mkdir -p \(folders); exec \(command) \(local)"])
        #expect(await collector.says("takes reports on"), "\(collector.errors)")
        let shown = try await ChildProgram.run("tally-collector", ["runs", "--control", files.file("control")])
        #expect(shown.code == 0 && shown.output.contains("open"), "\(shown.errors)")
        let entered = try await ChildProgram.run("/bin/ls", [files.file("state/tally-collector")])
        #expect(entered.output.contains("archives") && entered.output.contains("journal"))
        collector.send(SIGTERM)
        #expect(try await collector.end() == 0)
    }

    @Test("The container's file takes what packages have")
    func container() throws {
        let text = try TestFile.text(Repository.path("Hosts/Collector/Deployment/Containerfile"))
        let manifest = try TestFile.text(Repository.path("Package.swift"))
        let installed = try TestFile.text(Repository.path("Scripts/package"))
        let programs = text.matches(of: /bin\/(tally-[a-z]+)\b/).map { String($0.output.1) }
        #expect(programs.contains("tally-collector"))
        for program in Set(programs) {
            let part = try Regex("program\\(\\s*\"\(program)\"")
            #expect(manifest.firstMatch(of: part) != nil, "\(program)")
        }
        #expect(
            text.contains("ADD tally-*-linux-*.tar.gz")
                && installed.contains("name=tally-$version-linux-$architecture\n")
        )
        #expect(text.contains("cp -r lib/tally /tally/lib/") && installed.contains("lib/{tally/{plugins,runtime}"))
    }
}
