import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// Rows measure first and are stamped then.
struct TimeSinceTableTests {
    @Test func `V7: an own row measures between two of the application's events`() {
        var table = TimeSinceTable()
        table.add(
            trigger: UTF8Text("TEST_ACTION"),
            attribute: UTF8Text("timeSinceTest"),
            filter: .oneOf(["TEST_ACTION"])
        )
        let action = Action(named: UTF8Text("TEST_ACTION"))
        #expect(apply(&table, action, at: 100) == [:])
        #expect(apply(&table, action, at: 1350) == ["timeSinceTest": 1250])
    }

    @Test func `V7: an own row of a tracker follows the standard rows`() {
        let collector = EventCollector()
        let tracker = collector.makeTracker()
        tracker.addTimeSinceEntry(
            "CONTENT_REQUEST",
            attribute: "sinceRequest",
            filter: .oneOf(["CONTENT_START"])
        )
        tracker.send(.request, at: collector.moment)
        collector.time += 40_000
        tracker.send(.start, at: collector.moment)
        #expect(collector.events.last?.attributes.last?.name == "sinceRequest")
        #expect(collector.events.last?["sinceRequest"] == .int(40))
    }

    @Test func `an event never measures from itself`() {
        var table = TimeSinceTable.standard
        let request = Action(StandardAction(.request, isAd: false))
        #expect(apply(&table, request, at: 5)["timeSinceRequested"] == nil)
        #expect(apply(&table, request, at: 9)["timeSinceRequested"] == 4)
    }

    @Test func `the standard rows belong to the actions of their filters`() {
        var table = TimeSinceTable.standard
        for action in StandardAction.all {
            _ = apply(&table, Action(action), at: 0)
        }
        let always: Set = ["timeSinceTrackerReady"]
        let content = always.union([
            "timeSinceLastHeartbeat", "timeSinceRequested", "timeSinceStarted", "timeSinceLastError",
        ])
        #expect(names(&table, "TRACKER_READY") == always)
        #expect(names(&table, "CONTENT_PAUSE") == content)
        #expect(names(&table, "CONTENT_RESUME") == content.union(["timeSincePaused"]))
        #expect(names(&table, "CONTENT_SEEK_END") == content.union(["timeSinceSeekBegin"]))
        #expect(names(&table, "CONTENT_BUFFER_START") == content.union(["timeSinceResumed", "timeSinceSeekEnd"]))
        #expect(
            names(&table, "CONTENT_BUFFER_END")
                == content.union(["timeSinceBufferBegin", "timeSinceResumed", "timeSinceSeekEnd"])
        )
        #expect(names(&table, "CONTENT_RENDITION_CHANGE") == content.union(["timeSinceLastRenditionChange"]))
        #expect(names(&table, "CONTENT_MINE") == content)
        let ads = always.union([
            "timeSinceLastAdHeartbeat", "timeSinceAdRequested", "timeSinceAdStarted", "timeSinceLastAdError",
        ])
        #expect(names(&table, "AD_CLICK") == ads)
        #expect(names(&table, "AD_BREAK_END") == ads.union(["timeSinceAdBreakBegin"]))
        #expect(names(&table, "AD_QUARTILE") == ads.union(["timeSinceLastAdQuartile"]))
        #expect(names(&table, "My action 1") == [])
    }

    @Test func `an own action stamps a standard row when it has that name`() {
        var table = TimeSinceTable.standard
        _ = apply(&table, Action(named: UTF8Text("CONTENT_START")), at: 10)
        #expect(apply(&table, Action(StandardAction(.pause, isAd: false)), at: 25)["timeSinceStarted"] == 15)
    }

    private func names(_ table: inout TimeSinceTable, _ name: StaticString) -> Set<String> {
        Set(apply(&table, Action(named: UTF8Text(name)), at: 1).keys)
    }

    private func apply(_ table: inout TimeSinceTable, _ action: Action, at now: Int64) -> [String: Int64] {
        var attributes = EventAttributes()
        table.apply(action, at: now, to: &attributes)
        var result: [String: Int64] = [:]
        for attribute in attributes.list {
            if case .int(let number) = attribute.value {
                result[attribute.name.string] = number
            }
        }
        return result
    }
}
