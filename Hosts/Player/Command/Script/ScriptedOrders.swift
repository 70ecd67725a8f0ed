internal import PlaybackEngine

/// Remembers which line of the script an order to the engine came from: the engine refuses some later.
struct ScriptedOrders {
    /// The line that is carried out now, as `FILE:LINE`; nil while nothing of the script is.
    var place: String?
    private var given: [(order: EngineCommand, place: String)] = []

    /// Notes an order that the engine gets; the same one counts once, wherever it came from last.
    mutating func give(_ order: EngineCommand) {
        given.removeAll { $0.order == order }
        if let place { given.append((order, place)) }
    }

    /// The line that a refused order came from; nil when it came from elsewhere.
    func place(of order: EngineCommand) -> String? { given.first { $0.order == order }?.place }
}
