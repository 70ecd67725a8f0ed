import ChildPrograms
import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing

/// What a real host tells a reporter of itself.
@Suite("A reporter is told what the host's plugins did")
struct HostStatusTests {
    @Test("Of each plugin what the control commands have, without waiting for a thread")
    func live() throws {
        let folder = TemporaryFolder()
        let url = folder.file("url")
        let run = VirtualRun(
            plugins: [
                PluginSelection("org.tally.example.swift", name: "watch"),
                PluginSelection("org.tally.reporter.http", name: "http"),
                PluginSelection(
                    "org.tally.reporter.dashboard",
                    name: "dashboard",
                    configuration: ["port": 0, "refresh_ms": 100, "url_file": .string(url)]
                ),
            ],
            sources: ["example-swift", "http", "dashboard"].map { .file(PluginFiles.plugin($0)) }
        )
        _ = try run.record { player, run, clock in
            for action in [PlayerAction.load, .play, .firstFrame] {
                player.perform(action, on: run)
                clock.advance(to: clock.now() + 1_000_000)
                run.pump()
            }
            let address = try TestFile.text(url)
            let port = Int(address.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0
            let token = address.split(separator: "=")[1].dropLast()
            func plugin(_ name: String) -> JSONValue? {
                let browser = Browser(port: port)
                browser.send(
                    "GET /plugins.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Authorization: Bearer \(token)\r\n\r\n"
                )
                let host = BrowserAnswer(browser.readAll()).json["host"]
                return host?["plugins"]?.array?.first { $0["name"] == .string(name) }
            }
            #expect(
                blocked(every: 50_000) {
                    run.pump()
                    let watch = plugin("watch")
                    return watch?["events"]?.int == 3 && watch?["calls"]?["count"]?.int ?? 0 >= 3
                }
            )
            #expect(plugin("watch")?["state"] == "enabled")
            #expect(blocked(every: 50_000) { plugin("http")?["answer"]?["waiting"]?.int == 0 })
            #expect(plugin("dashboard")?["taken"]?.int ?? 0 > 3)
            #expect(plugin("dashboard")?["queued_bytes"]?.int != nil)
            player.perform(.pause, on: run)
            run.pump()
            // It is asked anew, each time.
            #expect(
                blocked(every: 50_000) {
                    run.pump()
                    return plugin("watch")?["events"]?.int == 4
                }
            )
            let said = run.plugins().first { $0.name == "watch" }?.tracker
            #expect(said?.events == 4)
        }
    }
}
