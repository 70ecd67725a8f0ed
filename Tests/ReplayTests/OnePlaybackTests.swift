import ChildPrograms
import Testing
import TextEncoding

/// The page about one playback against what the programs of today say of its archive.
struct OnePlaybackTests {
    private static let folder = "\(TestFile.repository)/Tests/ReplayTests/Archives/OnePlayback"
    private static let page = "docs/one-playback.md"

    /// A record or a beacon, as the page counts them.
    private struct Output {
        let instance: String
        /// The record's kind; nil for a beacon.
        let kind: String?
        /// When it was said, s.
        let second: Int64
        /// Address and body of a beacon.
        let bytes: Int

        init(_ line: Substring) throws {
            let json = try JSONParser().parse(String(line))
            instance = json["instance"]?.string ?? ""
            kind = json["line"]?.string == "record" ? json["kind"]?.string : nil
            second = (json["t_us"]?.int ?? 0) / 1_000_000
            bytes = (json["url"]?.string ?? "").utf8.count + (json["body"]?.string ?? "").utf8.count
        }
    }

    @Test("Every figure on the page about one playback is what the archive and its replay say")
    func figures() async throws {
        let plugins = try PluginFolder(plugins: [
            "new-relic-video", "nielsen-dcr", "mux-data", "adobe-analytics", "adobe-heartbeat", "jsonlines",
        ])
        let run = try await ChildProgram.replay([
            "\(Self.folder)/run.tally.zst", "-c", "\(Self.folder)/tally.json5", "--plugin-dir", plugins.path,
            "--set", #"plugins.jsonlines.config.path="-""#, "--quiet",
        ])
        try #require(run.code == 0, "\(run.errors)")
        let outputs = try run.output.split(separator: "\n").map(Output.init)
        let page = try TestFile.source(Self.page)
        let archive = try TestFile.unpacked("\(Self.folder)/run.tally.zst")
        for table in [try Self.course(archive), Self.said(outputs), Self.costs(outputs)] {
            #expect(page.contains("\n\n\(table)\n\n"), "the page has to say:\n\(table)")
        }
        let text = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("the same \(outputs.count) lines"))
        #expect(text.contains("this session of \(try Self.seconds(archive)) seconds"))
        #expect(page.contains("```json5\n\(try TestFile.text("\(Self.folder)/tally.json5"))```"))
    }

    // MARK: - Tables

    private static let often: Set<String> = [
        "playhead_sample", "quality_sample", "ad_quartile", "request_completed", "request_cancelled",
    ]

    private static func events(_ archive: String) throws -> [(name: String, time: Int64)] {
        try archive.split(separator: "\n").compactMap { line in
            let json = try JSONParser().parse(String(line))
            return json["event"]?.string.map { ($0, json["t_us"]?.int ?? 0) }
        }
    }

    /// What the player told, but for what comes often.
    private static func course(_ archive: String) throws -> String {
        let rows = try events(archive).filter { !often.contains($0.name) }.map { name, time in
            let tenths = (time + 50_000) / 100_000
            return "| \(tenths / 10).\(tenths % 10) | `\(name)` |"
        }
        return (["| s | event |", "| --: | --- |"] + rows).joined(separator: "\n")
    }

    /// From the load to the unload, rounded to seconds.
    private static func seconds(_ archive: String) throws -> Int64 {
        let events = try events(archive)
        let load = try #require(events.first { $0.name == "video_load" })
        let unload = try #require(events.last { $0.name == "video_unload" })
        return (unload.time - load.time + 500_000) / 1_000_000
    }

    private static let trackers = ["adobe-analytics", "adobe-heartbeat", "nielsen-dcr", "new-relic-video", "mux-data"]

    /// Records by kind, in the order in which the kinds first came, and the number of beacons, by 20 s.
    private static func said(_ outputs: [Output]) -> String {
        var rows = ["| from s | tracker | records | beacons |", "| --: | --- | --- | --: |"]
        for part in 0...(outputs.map { $0.second / 20 }.max() ?? 0) {
            for tracker in trackers {
                let said = outputs.filter { $0.second / 20 == part && $0.instance == tracker }
                guard !said.isEmpty else { continue }
                var kinds: [(name: String, count: Int)] = []
                for kind in said.compactMap(\.kind) {
                    if let known = kinds.firstIndex(where: { $0.name == kind }) {
                        kinds[known].count += 1
                    } else {
                        kinds.append((kind, 1))
                    }
                }
                let records = kinds.map { $0.count > 1 ? "\($0.count) \($0.name)" : $0.name }.joined(separator: ", ")
                let beacons = said.count { $0.kind == nil }
                rows.append("| \(part * 20) | `\(tracker)` | \(records) | \(beacons) |")
            }
        }
        return rows.joined(separator: "\n")
    }

    private static func costs(_ outputs: [Output]) -> String {
        let rows = trackers.map { tracker in
            let beacons = outputs.filter { $0.instance == tracker && $0.kind == nil }
            let bytes = beacons.reduce(0) { $0 + $1.bytes }
            let text = bytes < 1_000 ? "\(bytes)" : "\(bytes / 1_000),\(String("\(1_000 + bytes % 1_000)".dropFirst()))"
            return "| `\(tracker)` | \(beacons.count) | \(text) |"
        }
        return (["| tracker | beacons | bytes |", "| --- | --: | --: |"] + rows).joined(separator: "\n")
    }
}
