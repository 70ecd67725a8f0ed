internal import PluginABI

/// What a tracker says in a call, kept until the call is over: one that never is has said nothing.
///
/// One call is open at a time on a thread, and what it said is handed on before the next: so all trackers that a thread
/// drives say it into the same memory. [core]
@safe final class CallOutputs {
    /// As much as most calls say; more has memory of its own.
    private static let usualBytes = 16 * 1024

    private var segments: [OutputSegment] = []
    @safe @exclusivity(unchecked) private var outputs: [Output] = []
    /// Those whose outputs these are.
    private var identities: [OriginIdentity] = []

    /// Whether nothing was said.
    var isEmpty: Bool { outputs.isEmpty }

    /// Keeps a copy of an output.
    func add(_ output: Output) {
        let size = OutputCopy.size(of: output)
        if segments.last.map({ $0.capacity - $0.used < size }) ?? true {
            segments.append(OutputSegment(capacity: max(size, Self.usualBytes)))
        }
        let identity = output.identity
        if identities.last !== identity { identities.append(identity) }
        guard let item = unsafe OutputCopy.copy(output, into: segments[segments.count - 1]) else { return }
        unsafe outputs.append(output.with(item: item))
    }

    /// Lends all that was said, in its order, and forgets it.
    func removeAll(_ body: (Output) -> Void) {
        for output in outputs { body(output) }
        outputs.removeAll(keepingCapacity: outputs.capacity <= 64)
        identities.removeAll(keepingCapacity: true)
        if segments.count > 1 { segments.removeLast(segments.count - 1) }
        segments.first?.removeAll()
        if let first = segments.first, first.capacity > Self.usualBytes { segments.removeAll() }
    }
}
