import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting

/// Drives the vendor's tracker without a host, at times that the test chooses.
@safe final class EventCollector: EventRecorder {
    private(set) var events: [FakeHost.Record] = []
    var player = FakePlayer()
    var time: Int64 = 0

    static let epochMicroseconds: Int64 = 1_600_000_000_000_000

    private let state: UnsafeMutablePointer<tally_state>

    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: tally_state())
    }

    deinit {
        unsafe state.deallocate()
    }

    /// A tracker that records here; its random numbers are 0, 0 and 1234.
    func makeTracker(_ configuration: TrackerConfiguration = TrackerConfiguration(), isAd: Bool = false) -> VideoTracker
    {
        var numbers: [UInt64] = [0, 0, 1234]
        let identifiers = ViewIdentifiers(epochSeconds: Self.epochMicroseconds / 1_000_000) { numbers.removeFirst() }
        return VideoTracker(configuration, identifiers: identifiers, isAd: isAd, recorder: self)
    }

    /// Now.
    var moment: Moment {
        unsafe state.pointee = player.state
        return unsafe Moment(
            time,
            epochMicroseconds: Self.epochMicroseconds,
            player: PlayerState(UnsafePointer(state))
        )
    }

    func record(_ action: Action, _ attributes: EventAttributes, _ delivery: DeliveryClass) {
        let values = attributes.list.map { attribute in
            let value: PlainValue =
                switch attribute.value {
                case .int(let number): .int(number)
                case .double(let number), .decimal(let number): .double(number)
                case .text(let text): .string(text.string)
                }
            return (name: attribute.name.string, value: value)
        }
        events.append(FakeHost.Record(kind: action.name.string, attributes: values))
    }
}
