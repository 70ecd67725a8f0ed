import EventModel
import PlayerSignals
import Tally
import Testing
import TextEncoding

/// Signals with numbers that no player means: nothing that a player tells may end its process.
struct ExtremeSignalTests {
    private static let values: [PlainValue] = [
        .double(.nan), .double(.infinity), .double(-.infinity), .double(1e300), .int(.max), .int(.min), .int(0),
        .int(-1),
        .int(1 << 53), .int(-(1 << 53)), .int(250), .double(0.5), .bool(true), .string("x"), .null,
    ]
    @Test("Any numbers in any order come to track calls", arguments: UInt64(1)...40)
    func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func pick<Element>(_ list: [Element]) -> Element { list[Int(random.next() % UInt64(list.count))] }
        let shapes = SignalShape.all
        var course = SignalCourse(player: [], at: 0)
        var time: Int64 = 0
        for number in 0..<400 {
            time += pick([0, 1_000_000, 250_000_000, 20_000_000_000])
            // In between what is usual, so that the unusual comes in every state.
            let usual = number % 40 < 3 ? ["opening", "opened", "picture"][number % 40] : nil
            let shape = usual.flatMap { SignalShape.named($0) } ?? pick(shapes)
            // Of the kind that it has to be, mostly: another one leaves the signal out.
            let attributes = shape.attributes.map { attribute in
                let isOfKind = number % 8 > 0
                let values = isOfKind ? Self.values.filter { attribute.kind.takes($0) } : Self.values
                return TrackedCall.Attribute(
                    attribute.name,
                    attribute.name == "url" ? .string("http://h/f.mp4") : pick(values)
                )
            }
            let name = shape.name
            course.advance(to: time)
            switch NamedSignal(name, attributes).meaning {
            case .signals(let signals): for signal in signals { course.handle(signal, at: time) }
            case .chapter(let chapter): course.handle(.chapters([chapter, chapter]), at: time)
            case .faulty(let fault): #expect(fault.signal == name)
            case .unknown: Issue.record("\(name)")
            }
            for call in course.removeCalls() { #expect(call.timeNs <= time) }
        }
        course.finish(at: time)
        #expect(!course.removeCalls().isEmpty)
    }
}
