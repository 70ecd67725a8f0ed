import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// Identifiers follow from the random numbers and the time alone.
struct ViewIdentifierTests {
    @Test func `V30: session and view are named one after another`() {
        var numbers: [UInt64] = [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, 51_234]
        let identifiers = ViewIdentifiers(epochSeconds: 1_600_000_000) { numbers.removeFirst() }
        #expect(identifiers.agentSession?.string == "01234567-89AB-4DEF-BEDC-BA9876543210")
        #expect(identifiers.viewSession?.string == "01234567-89AB-4DEF-BEDC-BA9876543210-16000000001234")
        #expect(identifiers.viewID?.string == "01234567-89AB-4DEF-BEDC-BA9876543210-16000000001234-0")
        identifiers.beginNextView()
        #expect(identifiers.viewID?.string == "01234567-89AB-4DEF-BEDC-BA9876543210-16000000001234-1")
        #expect(numbers.isEmpty)
    }

    @Test func `V30: the view goes on after its end, not before`() {
        let collector = EventCollector()
        let tracker = collector.makeTracker()
        tracker.send(.request, at: collector.moment)
        tracker.send(.end, at: collector.moment)
        tracker.send(.request, at: collector.moment)
        let suffixes = collector.events.map { event -> Substring in
            guard case .string(let text)? = event["viewId"] else { return "" }
            return text.suffix(17)
        }
        #expect(suffixes == ["-16000000001234-0", "-16000000001234-0", "-16000000001234-1"])
    }
}
