internal import Testing
internal import TextEncoding

/// What the New Relic tracker said of the run with all that a viewer may meet.
struct NewRelicActions {
    private let records: [JSONValue]

    /// Reads what the reporter `jsonlines` wrote.
    init(_ path: String) throws {
        records = try TrackerRecords(path, of: "new-relic-video").all
    }

    /// Checks the actions against the course of the run, and against the archive where the machine decides.
    func check(against run: RecordedRun, _ round: Int) throws {
        checkLanes(run, round)
        try checkOrder(round)
        try checkValues(round)
    }

    private func action(_ record: JSONValue) -> String { record["kind"]?.string ?? "" }

    /// The actions of the content, or of the ads, without what depends on the machine's pace.
    private func lane(isAd: Bool) -> [String] {
        records.filter { $0["attributes"]?["isAd"]?.int == (isAd ? 1 : 0) }.map(action).filter { action in
            !["_BUFFER_START", "_BUFFER_END", "_RENDITION_CHANGE", "_HEARTBEAT"].contains { action.hasSuffix($0) }
        }
    }

    /// The exact actions within each lane.
    private func checkLanes(_ run: RecordedRun, _ round: Int) {
        #expect(
            lane(isAd: false) == [
                "TRACKER_READY", "PLAYER_READY", "CONTENT_REQUEST", "CONTENT_START",
                // The script's pause, the two ads in the middle, the two seeks, the ad at the end.
                "CONTENT_PAUSE", "CONTENT_RESUME", "CONTENT_PAUSE", "CONTENT_RESUME", "CONTENT_PAUSE", "CONTENT_RESUME",
                "CONTENT_SEEK_START", "CONTENT_SEEK_END", "CONTENT_SEEK_START", "CONTENT_SEEK_END", "CONTENT_PAUSE",
                "CONTENT_RESUME", "CONTENT_END",
            ],
            "round \(round)"
        )
        let ad = ["AD_REQUEST", "AD_START", "AD_QUARTILE", "AD_QUARTILE", "AD_QUARTILE", "AD_END"]
        #expect(
            lane(isAd: true) == ["TRACKER_READY", "AD_BREAK_START"] + ad + ["AD_BREAK_END", "AD_BREAK_START"] + ad + ad
                + ["AD_BREAK_END", "AD_BREAK_START"] + ad + ["AD_BREAK_END"],
            "round \(round)"
        )
        // A wait that is told has its end, and none is told twice.
        let waits = records.map(action).filter { $0.hasPrefix("CONTENT_BUFFER_") }
        for (index, wait) in waits.enumerated() {
            #expect(wait == (index % 2 == 0 ? "CONTENT_BUFFER_START" : "CONTENT_BUFFER_END"), "round \(round)")
        }
        #expect(waits.count % 2 == 0, "round \(round)")
        let shifts = attributes("shift", of: "CONTENT_RENDITION_CHANGE").compactMap(\.?.string)
        #expect(shifts.suffix(2) == ["down", "up"], "round \(round)")
        let visible = run.events("rendition_change").filter { $0.attribute("rendition_phase") == "visible" }
        #expect(shifts.count <= visible.count && shifts.count >= visible.count - 1, "round \(round)")
    }

    private func attributes(_ name: String, of action: String) -> [JSONValue?] {
        records.filter { self.action($0) == action }.map { $0["attributes"]?[name] }
    }

    /// What comes before what across lanes.
    private func checkOrder(_ round: Int) throws {
        let actions = records.map(action)
        func place(_ name: String, _ number: Int = 0) throws -> Int {
            let places = actions.indices.filter { actions[$0] == name }
            try #require(number < places.count, "round \(round): \(name) \(number)")
            return places[number]
        }
        #expect(try place("CONTENT_REQUEST") < place("AD_BREAK_START"))
        #expect(try place("AD_BREAK_END") < place("CONTENT_START"))
        #expect(try place("CONTENT_RESUME") < place("AD_BREAK_START", 1))
        #expect(try place("AD_BREAK_END", 1) < place("CONTENT_SEEK_START"))
        #expect(try place("CONTENT_SEEK_END", 1) < place("AD_BREAK_START", 2))
        #expect(try place("AD_BREAK_END", 2) < place("CONTENT_END"))
        // The content stands from each ad's start to its end.
        for number in 1...3 {
            let start = try place("AD_START", number)
            #expect(actions[start - 2..<start] == ["AD_REQUEST", "CONTENT_PAUSE"], "round \(round)")
            #expect(try actions[place("AD_END", number) + 1] == "CONTENT_RESUME", "round \(round)")
        }
        // The segment that comes late is a wait for the connection, between the pause and the break in the middle.
        let stall = records.indices.filter { index in
            actions[index] == "CONTENT_BUFFER_START" && records[index]["attributes"]?["bufferType"] == "connection"
                && (7000..<8500).contains(records[index]["attributes"]?["contentPlayhead"]?.int ?? 0)
        }
        #expect(stall.count == 1, "round \(round)")
        let first = try #require(stall.first)
        #expect(try place("CONTENT_RESUME") < first && first < place("AD_BREAK_START", 1), "round \(round)")
    }

    private func checkValues(_ round: Int) throws {
        #expect(attributes("adPosition", of: "AD_BREAK_START") == ["pre", "mid", "post"], "round \(round)")
        #expect(attributes("adQuartile", of: "AD_QUARTILE").map { $0?.int } == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(Set(records.map { $0["attributes"]?["viewSession"]?.string }).count == 1, "round \(round)")
        let end = try #require(records.last { action($0) == "CONTENT_END" })
        let begin = try #require(records.first { action($0) == "CONTENT_START" })
        #expect(end["attributes"]?["numberOfVideos"] == 1)
        #expect(end["attributes"]?["numberOfAds"] == 4)
        #expect(end["attributes"]?["numberOfErrors"] == 0)
        #expect(end["attributes"]?["timeSinceLastAd"]?.int != nil)
        let shown = try #require(end["t_us"]?.int) - (begin["t_us"]?.int ?? 0)
        let played = try #require(end["attributes"]?["totalPlaytime"]?.int)
        #expect(played * 1000 <= shown, "round \(round)")
        // Three seconds are passed over and two seen twice: 25 of 26, without what the machine waits for.
        #expect((22_000..<26_500).contains(played), "round \(round): \(played) ms")
        let beats = records.count { action($0) == "CONTENT_HEARTBEAT" }
        #expect(Int64(beats) == shown / 30_000_000, "round \(round)")
        // The first frame's wait has no ads in it, the player's time has.
        #expect(attributes("totalAdPlaytime", of: "CONTENT_START").first??.int ?? 0 > 800, "round \(round)")
    }
}
