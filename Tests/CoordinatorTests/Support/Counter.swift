import Glibc
import Synchronization

/// A number that threads count down together.
final class Counter: Sendable {
    private let value: Atomic<Int>

    init(_ value: Int) {
        self.value = Atomic(value)
    }

    var isZero: Bool {
        value.load(ordering: .acquiring) == 0
    }

    func decrement() {
        value.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Lets another thread run.
    static func yield() {
        sched_yield()
    }
}
