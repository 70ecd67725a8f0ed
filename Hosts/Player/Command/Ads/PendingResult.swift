internal import PlaybackEngine
internal import System

/// What a thread of its own works out.
final class PendingResult<Value: Sendable>: Sendable {
    private let result = Lock<Value?>(nil)

    /// Starts the work.
    init(_ work: @escaping @Sendable () -> Value) {
        EngineThread.start { [result] in
            let value = work()
            result.with { $0 = value }
        }
    }

    /// The result; nil as long as there is none.
    var value: Value? { result.with { $0 } }
}
