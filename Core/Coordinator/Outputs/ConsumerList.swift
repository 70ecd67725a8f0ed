/// The consumers of a run's outputs, in order.
///
/// To hand an output to them counts no references: several times for each event, that would cost more than the event.
@safe final class ConsumerList {
    /// The consumers.
    let consumers: [any OutputConsumer]
    private let owned: [Place]
    private let places: [Unmanaged<Place>]

    /// A consumer where it never changes, so that nobody has to keep it alive for a call.
    private final class Place {
        let consumer: any OutputConsumer

        init(_ consumer: any OutputConsumer) {
            self.consumer = consumer
        }
    }

    init(_ consumers: [any OutputConsumer]) {
        self.consumers = consumers
        owned = consumers.map { Place($0) }
        unsafe places = owned.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// Hands an output to those that want its kind at the moment: a reporter may change its mind with its configuration.
    func consume(_ output: borrowing Output) {
        let kind: UInt32 = 1 << output.what
        for index in unsafe places.indices {
            unsafe places[index]._withUnsafeGuaranteedRef { place in
                if place.consumer.wanted & kind != 0 { place.consumer.consume(output) }
            }
        }
    }
}
