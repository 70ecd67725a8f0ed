/// Delays that tests put into a live run, to show that its archive replays the same all the same.
package struct LivePerturbation: Sendable {
    /// Called in a track call between taking the time and queueing the event.
    package let beforeEnqueue: @Sendable () -> Void
    /// Called before a timer fires.
    package let beforeTimers: @Sendable () -> Void

    package init(
        beforeEnqueue: @escaping @Sendable () -> Void,
        beforeTimers: @escaping @Sendable () -> Void
    ) {
        self.beforeEnqueue = beforeEnqueue
        self.beforeTimers = beforeTimers
    }
}
