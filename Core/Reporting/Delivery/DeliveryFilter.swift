package import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import System
internal import TextEncoding

/// The rules of a ``DeliveryPolicy`` that concern one reporter.
///
/// Thread-safe.
@safe package final class DeliveryFilter: Sendable {
    private struct Sampled {
        var id = ""
        var answers: [Bool] = []
    }

    private let routes: [DeliveryRoute]
    private let privacy: [PrivacyRule]
    private let hash: KeyedHash
    /// Whether no rule names the asset's id: an origin has it as it is, or not at all.
    private let showsVideo: Bool
    /// What the shares came to for the run or session before: outputs come in long rows.
    private let sampled = Lock<[DeliveryRoute.Unit: Sampled]>([:])

    init(routes: [DeliveryRoute], privacy: [PrivacyRule], key: [UInt8]) {
        self.routes = routes
        self.privacy = privacy
        hash = KeyedHash(key: key)
        showsVideo = !privacy.contains { $0.concerns("video_id") }
    }

    /// Whether something is taken out of what a reporter gets: archive lines, which are whole, are then not for it.
    package var takesOut: Bool { !privacy.isEmpty }

    /// Calls the closure with the output, changed where the rules say so, or not at all.
    package func pass(_ output: Output, to deliver: (Output) -> Void) {
        let content = OutputContent(output)
        guard delivers(output, content), !takesOut || content.kind != .line else { return }
        var output = output
        output.showsVideo = showsVideo
        let rules = privacy.filter { $0.selector.selects(content) }
        guard !rules.isEmpty, let item = unsafe output.item else {
            deliver(output)
            return
        }
        switch output.what {
        case TALLY_OUTPUT_RECORD:
            let record = unsafe RecordView(item.assumingMemoryBound(to: tally_record.self))
            BlockRewriting.pass(output, record, rules, hash, deliver)
        case TALLY_OUTPUT_EVENT, TALLY_OUTPUT_SESSION_BEGIN:
            let event = unsafe EventView(item.assumingMemoryBound(to: tally_event.self))
            BlockRewriting.pass(output, event, rules, hash, deliver)
        case TALLY_OUTPUT_BEACON:
            unsafe BeaconRewriting.pass(output, item.assumingMemoryBound(to: tally_beacon.self), rules, hash, deliver)
        default:
            deliver(output)
        }
    }

    private func delivers(_ output: Output, _ content: OutputContent) -> Bool {
        guard let place = routes.firstIndex(where: { $0.selector.selects(content) }) else { return true }
        let route = routes[place]
        guard route.delivers, route.share != nil else { return route.delivers }
        // An archive with holes is none: its lines go together.
        let unit = content.kind == .line ? .run : route.unit
        if unit == .session, output.session == 0 { return true }
        let run = unsafe output.identity.runID.text
        let id = unit == .run ? run : "\(run)/\(output.session)"
        return sampled.with { sampled in
            if sampled[unit]?.id != id {
                sampled[unit] = Sampled(id: id, answers: routes.map { $0.share?.has(id) ?? true })
            }
            return sampled[unit]?.answers[place] ?? true
        }
    }
}

/// A consumer that gets what a policy lets through.
package final class FilteredConsumer<Consumer: OutputConsumer & Sendable>: OutputConsumer, Sendable {
    private let consumer: Consumer
    private let filter: DeliveryFilter

    /// Puts a filter before a consumer.
    package init(_ consumer: Consumer, _ filter: DeliveryFilter) {
        self.consumer = consumer
        self.filter = filter
    }

    package var wanted: UInt32 { consumer.wanted }

    package func consume(_ output: Output) { filter.pass(output) { consumer.consume($0) } }

    package func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        consumer.flush(runID: runID, session: session, budget: budget, done: done)
    }
}
