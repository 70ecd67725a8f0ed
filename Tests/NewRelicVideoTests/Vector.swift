import PluginKit
import Testing

/// One thing that happens in a vector.
enum VectorStep: Sendable {
    case setPlayer, request, start, pause, resume, bufferStart, bufferEnd, seekStart, seekEnd, heartbeat, end
    /// Time passes, ms.
    case wait(Int64)
    /// The player reports where it stands, ms.
    case playhead(Int64)
    /// The application's own event.
    case send(String)
}

/// A test vector of the data model: what is done, and what has to come out.
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [VectorStep]
    let expected: [ExpectedEvent]

    var testDescription: String { name }
}
