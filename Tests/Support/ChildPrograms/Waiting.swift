internal import Glibc

/// How long a test waits for what is to happen.
///
/// It ends tests that would hang and decides nothing else: no machine is so busy that what happens at all happens later.
package let hangLimit = Duration.seconds(300)

/// Waits, without a thread, until a condition holds; false when it does not come to hold.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + hangLimit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}

/// The same for a closure that cannot be suspended, because a run on a virtual clock goes on in it: it blocks its thread,
/// and asks again every so many microseconds.
package func blocked(every microseconds: UInt32 = 5_000, until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + hangLimit
    while ContinuousClock.now < end {
        if try condition() { return true }
        usleep(microseconds)
    }
    return try condition()
}
