import EventModel
import PluginKit
import Tally
import TallyTesting
import Testing
import TextEncoding

/// What becomes of values that tell too much.
@Suite struct PrivacyTests {
    private static let key = Array("a key of this test".utf8)

    private static func teller() -> ScriptedTracker.Script {
        var script = ScriptedTracker.Script()
        script.handle = { host, event throws(TrackerFault) in
            guard event.type == .play else { return }
            let record = RecordBuilder()
            record.begin("VIEW")
            record.set("before", 1)
            record.set("viewer_id", "jane@example.org")
            record.set("viewer_number", 4711)
            record.set("list", PlainValue.list([.string("one"), .list([.int(2)])]))
            record.set("after", "unchanged")
            _ = host.emit(record)
            let beacon = BeaconBuilder()
            beacon.begin(destination: "org.example.collector")
            beacon.url.append("http://example.org/?user=jane&t=")
            beacon.appendPatch(.sendEpochSeconds, to: .url)
            beacon.url.append("&user=jane")
            beacon.addHeader("X-User", "jane")
            beacon.body.append("{\"user\":\"jane\",\"at\":")
            beacon.appendPatch(.sendEpochMilliseconds, to: .body)
            beacon.body.append("}")
            _ = host.emit(beacon)
        }
        return script
    }

    private static func delivered(_ changes: PrivacyRule.Change...) throws -> OutputTranscript {
        var policy = DeliveryPolicy()
        policy.privacy = changes.map { PrivacyRule(.init(), $0) }
        policy.key = key
        return try DeliveredRun.deliver(policy, teller()) { player, run in
            player.perform(.play, on: run)
        }
    }

    private static func attributes(_ action: PrivacyRule.Action, _ names: String...) throws -> [String: PlainValue] {
        try delivered(.attributes(names.map { Glob($0) }, personal: false, action)).lines[0].attributes
    }

    private static func beacon(
        _ pattern: String,
        _ replacement: String,
        _ parts: Set<PrivacyRule.Part> = Set(PrivacyRule.Part.allCases)
    ) throws -> String {
        try delivered(.text(BytePattern(pattern), replacement: replacement, in: parts)).lines[1].text
    }

    // MARK: - Attributes

    @Test("A dropped attribute is gone, and the others stay as they are, lists too")
    func drop() throws {
        #expect(
            try Self.attributes(.drop, "viewer_*") == [
                "before": .int(1), "list": .list([.string("one"), .list([.int(2)])]), "after": .string("unchanged"),
            ]
        )
        #expect(try Self.attributes(.drop, "*").isEmpty)
    }

    @Test("A hash is the first half of HMAC-SHA-256, of a number's digits too")
    func hash() throws {
        let found = try Self.attributes(.hash, "viewer_*")
        let code = HMAC(key: Self.key)
        #expect(
            found["viewer_id"] == .string(Hex.text(Array(code.digest(of: Array("jane@example.org".utf8)).prefix(16))))
        )
        #expect(found["viewer_number"] == .string(Hex.text(Array(code.digest(of: Array("4711".utf8)).prefix(16)))))
        #expect(found["after"] == .string("unchanged"))
    }

    @Test("A mask leaves the beginning that it is told to")
    func mask() throws {
        #expect(try Self.attributes(.mask(keep: 0), "viewer_id")["viewer_id"] == .string("***"))
        #expect(try Self.attributes(.mask(keep: 4), "viewer_id")["viewer_id"] == .string("jane***"))
        #expect(try Self.attributes(.mask(keep: 400), "viewer_number")["viewer_number"] == .string("4711***"))
    }

    @Test("The first rule that names an attribute decides")
    func first() throws {
        let found = try Self.delivered(
            .attributes([Glob("viewer_id")], personal: false, .mask(keep: 1)),
            .attributes([Glob("viewer_*")], personal: false, .drop)
        ).lines[0].attributes
        #expect(found["viewer_id"] == .string("j***") && found["viewer_number"] == nil)
    }

    @Test("Events are changed as records are, with their name and state, and so is a session's begin")
    func events() throws {
        var policy = DeliveryPolicy()
        policy.privacy = [PrivacyRule(.init(), .attributes([Glob("video_*")], personal: false, .drop))]
        let changed = try DeliveredRun.deliver(policy).events
        let whole = try DeliveredRun.deliver(DeliveryPolicy()).events
        #expect(changed.count == whole.count)
        #expect(whole.contains { $0.contains("video_load") && $0.contains("video_id") })
        #expect(changed.contains { $0.contains("video_load") && !$0.contains("video_id") })
        #expect(!changed.contains { $0.contains("video_name") })
    }

    @Test("An asset's id that a rule names is in no origin either")
    func origin() throws {
        #expect(try Self.delivered().lines.map(\.video) == ["asset-1", "asset-1"])
        let other = PrivacyRule.Change.attributes([Glob("viewer_*")], personal: true, .drop)
        #expect(try Self.delivered(other).lines.map(\.video) == ["asset-1", "asset-1"])
        let rule = PrivacyRule.Change.attributes([Glob("video_*")], personal: false, .hash)
        #expect(try Self.delivered(rule).lines.map(\.video) == ["", ""])
    }

    @Test("A number of a record is one value for rules, whatever its kind")
    func kinds() throws {
        func number(_ set: @escaping @Sendable (RecordBuilder) -> Void) throws -> PlainValue? {
            var script = ScriptedTracker.Script()
            script.handle = { host, event throws(TrackerFault) in
                guard event.type == .play else { return }
                let record = RecordBuilder()
                record.begin("VIEW")
                set(record)
                _ = host.emit(record)
            }
            var policy = DeliveryPolicy()
            policy.privacy = [PrivacyRule(.init(), .attributes([Glob("number")], personal: false, .hash))]
            policy.key = Self.key
            return try DeliveredRun.deliver(policy, script) { $0.perform(.play, on: $1) }.lines[0].attributes["number"]
        }
        #expect(try number { $0.set("number", 2) } == number { $0.set("number", 2.0) })
        #expect(try number { $0.set("number", 2) } != number { $0.set("number", 2.5) })
    }

    @Test("A rule for personal attributes finds what the vocabulary calls so, without its name")
    func personal() throws {
        func loads(_ personal: Bool) throws -> [String] {
            var policy = DeliveryPolicy()
            policy.privacy = [PrivacyRule(.init(), .attributes([], personal: personal, .mask(keep: 1)))]
            return try DeliveredRun.deliver(policy) { player, run in
                player.change { $0.moreOfVideo = { $0.userID("jane") } }
                player.perform(.unload, on: run)
                player.perform(.load, on: run)
            }.events.filter { $0.contains("user_id") }
        }
        let (whole, masked) = (try loads(false), try loads(true))
        #expect(!whole.isEmpty && whole.allSatisfy { $0.contains("jane") })
        #expect(masked.count == whole.count)
        #expect(masked.allSatisfy { $0.contains("j***") && !$0.contains("jane") && $0.contains("asset-1") })
    }

    @Test("A rule is for the reporters and outputs that it names")
    func selected() throws {
        var selector = OutputSelector()
        selector.name = Glob("OTHER")
        var policy = DeliveryPolicy()
        policy.privacy = [PrivacyRule(selector, .attributes([Glob("*")], personal: false, .drop))]
        let output = try DeliveredRun.deliver(policy, Self.teller()) { player, run in
            player.perform(.play, on: run)
        }
        #expect(output.lines[0].attributes.count == 5)
        policy.privacy[0].selector.name = Glob("*")
        policy.privacy[0].selector.reporter = Glob("another")
        #expect(policy.filter(for: "memory") == nil)
    }

    // MARK: - Beacons

    @Test("All places that fit are replaced, in address, body and headers")
    func replaced() throws {
        let text = try Self.beacon("jane", "nobody")
        #expect(!text.contains("jane"))
        #expect(text.contains("?user=nobody&t=") && text.contains("&user=nobody") && text.contains("X-User: nobody"))
        #expect(text.contains(#"{\"user\":\"nobody\""#))
        let url = try Self.beacon("jane", "", [.url])
        #expect(url.contains("?user=&t=") && url.contains("X-User: jane") && url.contains(#"\"jane\""#))
    }

    @Test("Of a pattern with a group the group is replaced, and a hash can stand for it")
    func group() throws {
        let digits = Hex.text(Array(HMAC(key: Self.key).digest(of: Array("jane".utf8)).prefix(16)))
        let text = try Self.beacon(#""user":"([^"]*)""#, "<{hash}>")
        #expect(text.contains(#"{\"user\":\"<\#(digits)>\",\"at\":"#), "\(text)")
        #expect(text.contains("?user=jane&t="))
    }

    @Test("The places that the reporter fills in move along, and one that is replaced is filled in no more")
    func patches() throws {
        let whole = try Self.beacon("nothing like it", "")
        #expect(whole.contains("@32+10") && whole.contains("@20+13"), "\(whole)")
        let shorter = try Self.beacon("jane", "x")
        #expect(shorter.contains("@29+10") && shorter.contains("@17+13"), "\(shorter)")
        let gone = try Self.beacon("t=[0-9]+", "t=0")
        #expect(!gone.contains("+10") && gone.contains("@20+13"), "\(gone)")
    }

    @Test("A pattern that fits nothing leaves everything, and a broken one is refused with the reason")
    func broken() throws {
        #expect(try Self.beacon("z*", "y") == Self.beacon("nothing like it", ""))
        #expect(throws: BytePattern.Failure.self) { try BytePattern("(") }
    }

    @Test("Live and replay deliver the same, for the same rules")
    func replayed() throws {
        let once = try Self.delivered(.attributes([Glob("viewer_*")], personal: false, .hash))
        #expect(try Self.delivered(.attributes([Glob("viewer_*")], personal: false, .hash)) == once)
    }
}
