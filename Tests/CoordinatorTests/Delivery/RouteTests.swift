import EventModel
import PluginKit
import Tally
import TallyTesting
import Testing
import TextEncoding

/// Which outputs get to a reporter.
@Suite struct RouteTests {
    private static func talker() -> ScriptedTracker.Script {
        var script = ScriptedTracker.Script()
        script.handle = { host, event throws(TrackerFault) in
            guard event.type == .play else { return }
            let record = RecordBuilder()
            for (kind, label): (StaticString, StaticString) in [("A_ONE", "x1"), ("A_TWO", "y2"), ("B_ONE", "x3")] {
                record.begin(kind)
                record.set("label", label)
                record.set("length", Int64(label.description.utf8.count))
                _ = host.emit(record)
            }
            let beacon = BeaconBuilder()
            beacon.begin(destination: "org.example.collector")
            beacon.url.append("http://example.org/")
            _ = host.emit(beacon)
        }
        return script
    }

    private static func kinds(_ routes: [DeliveryRoute]) throws -> [String] {
        var policy = DeliveryPolicy()
        policy.routes = routes
        return try DeliveredRun.deliver(policy, talker()) { player, run in
            player.perform(.play, on: run)
        }.lines.map(\.kind)
    }

    private static func route(delivers: Bool, _ change: (inout OutputSelector) -> Void) -> DeliveryRoute {
        var route = DeliveryRoute()
        route.delivers = delivers
        change(&route.selector)
        return route
    }

    @Test("Without rules everything is delivered, and rules for another reporter change nothing")
    func nothing() throws {
        let all = ["A_ONE", "A_TWO", "B_ONE", "beacon"]
        #expect(try Self.kinds([]) == all)
        #expect(try Self.kinds([Self.route(delivers: false) { $0.reporter = Glob("other*") }]) == all)
    }

    @Test("The first rule that selects an output decides")
    func first() throws {
        let one = Self.route(delivers: true) { $0.name = Glob("*_ONE") }
        let none = Self.route(delivers: false) { $0.plugin = Glob("script*") }
        #expect(try Self.kinds([one, none]) == ["A_ONE", "B_ONE"])
        #expect(try Self.kinds([none, one]) == [])
    }

    @Test("Rules select by kind, by the name of what is said, by plugin and by the values of attributes")
    func selects() throws {
        #expect(try Self.kinds([Self.route(delivers: false) { $0.kinds = [.record] }]) == ["beacon"])
        #expect(
            try Self.kinds([Self.route(delivers: false) { $0.name = Glob("org.example.*") }])
                == ["A_ONE", "A_TWO", "B_ONE"]
        )
        #expect(
            try Self.kinds([Self.route(delivers: false) { $0.plugin = Glob("org.tally.test.scripted") }]) == []
        )
        let labelled = Self.route(delivers: false) { $0.condition = .fits(.name("label"), Glob("x*")) }
        #expect(try Self.kinds([labelled]) == ["A_TWO", "beacon"])
        let long = Expression.fits(.name("length"), Glob("2"))
        let both = Self.route(delivers: false) { $0.condition = .all([.fits(.name("label"), Glob("x*")), long]) }
        #expect(try Self.kinds([both]) == ["A_TWO", "beacon"])
        let number = Self.route(delivers: false) { $0.condition = .comparison(.equal, .name("length"), .literal("2")) }
        #expect(try Self.kinds([number]) == ["beacon"])
        let unlabelled = Self.route(delivers: false) { $0.condition = .fits(.name("nothing"), Glob("*")) }
        #expect(try Self.kinds([unlabelled]).count == 4)
    }

    @Test("What the core says comes from no plugin: only a rule for every plugin keeps it back")
    func core() throws {
        var policy = DeliveryPolicy()
        policy.routes = [Self.route(delivers: false) { $0.plugin = Glob("s*") }]
        #expect(try DeliveredRun.deliver(policy, Self.talker()).events.count > 3)
        policy.routes = [Self.route(delivers: false) { $0.kinds = [.event] }]
        let events = try DeliveredRun.deliver(policy, Self.talker()).events
        #expect(!events.isEmpty && events.allSatisfy { $0.contains("boundary") })
        policy.routes = [Self.route(delivers: false) { _ in }]
        #expect(try DeliveredRun.deliver(policy, Self.talker()).events.isEmpty)
    }

    @Test("A share takes whole runs, by their id alone, and each larger share holds the smaller ones")
    func share() throws {
        func taken(_ percent: Double) throws -> Set<Int> {
            var route = DeliveryRoute()
            route.share = SampleShare(percent: percent)
            var policy = DeliveryPolicy()
            policy.routes = [route]
            return try Set(
                (0..<60).filter { number in
                    let output = try DeliveredRun.deliver(policy, id: "run\(number)", Self.talker()) { player, run in
                        player.perform(.play, on: run)
                    }
                    #expect(output.lines.isEmpty == output.events.isEmpty, "a run is taken as a whole")
                    return !output.lines.isEmpty
                }
            )
        }
        let (some, more) = (try taken(20), try taken(60))
        #expect(some.count > 3 && some.count < 25 && more.count > 25 && more.count < 48)
        #expect(some.isSubset(of: more))
        #expect(try taken(20) == some)
        #expect(try taken(0).isEmpty)
        #expect(try taken(100).count == 60)
    }

    @Test("A share counts in ten-thousandths of a percent")
    func smallShare() {
        let quarter = SampleShare(percent: 0.25)
        let ids = (0..<40_000).map { "run\($0)" }
        #expect((70...130).contains(ids.count { quarter.has($0) }))
        let more = SampleShare(percent: 0.5)
        #expect(ids.allSatisfy { !quarter.has($0) || more.has($0) })
    }

    @Test("A share of sessions takes whole sessions, and what belongs to none")
    func sessions() throws {
        var route = DeliveryRoute()
        route.share = SampleShare(percent: 50)
        route.unit = .session
        var policy = DeliveryPolicy()
        policy.routes = [route]
        let output = try DeliveredRun.deliver(policy, Self.talker()) { player, run in
            for _ in 0..<20 {
                for action in [PlayerAction.play, .unload, .load] {
                    player.perform(action, on: run)
                    run.pump()
                }
            }
        }
        #expect(output.lines.count % 4 == 0 && output.lines.count > 12 && output.lines.count < 68)
        #expect(output.events.contains { $0.contains("session 0") })
    }
}
