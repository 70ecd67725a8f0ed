internal import CLinux
internal import Glibc

/// A thread with a name that runs one function.
@safe package final class Thread: @unchecked Sendable {
    private let thread: pthread_t
    private let start: Start
    private let joined = Lock(false)

    /// Starts a thread; `name` is cut to 15 bytes, which is all that Linux shows.
    ///
    /// With `callingPlugins` the function goes on behind a call into a plugin that does not come back, on another
    /// thread of the same name; ``CallWatch`` sees to that.
    package init(name: String, callingPlugins: Bool = false, _ body: @escaping @Sendable () -> Void) {
        let start = Start(name: String(name.prefix(15)), body: body)
        if callingPlugins { start.prepareForPlugins() }
        self.start = start
        thread = Self.run(start) { start in start.begin() }
    }

    deinit {
        release()
    }

    /// Runs a function that calls plugins on a thread of its own, and waits for it.
    ///
    /// For callers whose own thread must not be left in a plugin. Signals that the caller would get go to that thread.
    package static func perform<Result>(name: String, _ body: () -> Result) -> Result {
        let job = Job<Result>()
        let signals = SignalMask.blockAll()
        defer { signals.restore() }
        withoutActuallyEscaping(body) { body in
            job.body = body
            Thread(name: name, callingPlugins: true) {
                signals.restore()
                job.result = job.body?()
                job.body = nil
            }.join()
        }
        guard let result = job.result else { preconditionFailure("the thread \(name) has made nothing") }
        return result
    }

    /// Which signals a thread takes.
    private struct SignalMask: @unchecked Sendable {
        private var mask = sigset_t()

        /// Takes none from now on, and gives what was.
        static func blockAll() -> SignalMask {
            var before = SignalMask()
            var all = sigset_t()
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_SETMASK, &all, &before.mask)
            return before
        }

        /// Lets the calling thread take them again.
        func restore() {
            var mask = mask
            unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        }
    }

    /// A function that another thread runs while this one waits.
    private final class Job<Result>: @unchecked Sendable {
        var body: (() -> Result)?
        var result: Result?
    }

    /// Waits until the function has returned.
    ///
    /// On the thread itself, and the second time, it returns at once.
    package func join() {
        guard !isCurrent else {
            release()
            return
        }
        guard claim() else { return }
        start.awaitEnd()
        if start.wasLeftBehind { pthread_detach(thread) } else { pthread_join(thread, nil) }
    }

    /// Lets the system clean up after a thread that nobody waits for.
    private func release() {
        if claim() {
            pthread_detach(thread)
        }
    }

    /// Whether the caller is the first to join or release.
    private func claim() -> Bool {
        joined.with { joined in
            defer { joined = true }
            return !joined
        }
    }

    /// Whether the caller runs on this thread, or on the one that goes on with its function.
    package var isCurrent: Bool {
        if start.callsPlugins { return start.isCurrent }
        return pthread_equal(thread, pthread_self()) != 0
    }

    /// Lets a new thread go on with a function whose call into a plugin was given up.
    static func goOn(with start: Start) {
        pthread_detach(run(start) { start in start.goOn() })
    }

    private static func run(_ start: Start, _ part: @escaping @Sendable (Start) -> Void) -> pthread_t {
        let entry = Entry(start: start, part: part)
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let entry = unsafe Unmanaged<Entry>.fromOpaque(argument).takeRetainedValue()
                unsafe tally_name_thread(entry.start.name)
                tally_prepare_thread()
                entry.part(entry.start)
                tally_end_thread()
                return nil
            },
            unsafe Unmanaged.passRetained(entry).toOpaque()
        )
        precondition(status == 0, "cannot start a thread: error \(status)")
        return thread
    }

    private final class Entry: Sendable {
        let start: Start
        let part: @Sendable (Start) -> Void

        init(start: Start, part: @escaping @Sendable (Start) -> Void) {
            self.start = start
            self.part = part
        }
    }

    /// The function, and what is known of its course.
    @safe final class Start: @unchecked Sendable {
        let name: String
        /// Forgotten when it is over, with what it holds.
        private var body: (@Sendable () -> Void)?
        private let course = Condition((isOver: false, wasLeftBehind: false))
        /// The function on a stack of its own; nil when it calls no plugins.
        private(set) var work: OpaquePointer?

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        deinit {
            if let work = unsafe work { unsafe tally_work_free(work) }
        }

        func prepareForPlugins() {
            unsafe work = unsafe tally_work_make(
                { context in
                    guard let context = unsafe context else { return }
                    unsafe Unmanaged<Start>.fromOpaque(context).takeUnretainedValue().run()
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }

        var callsPlugins: Bool { unsafe work != nil }
        var isCurrent: Bool { unsafe tally_work_current() == work }
        var wasLeftBehind: Bool { course.with { $0.wasLeftBehind } }

        func begin() {
            guard let work = unsafe work else { return run() }
            CallWatch.shared.add(self)
            unsafe tally_work_begin(work)
        }

        func goOn() {
            course.change { $0.wasLeftBehind = true }
            if let work = unsafe work { unsafe tally_work_continue(work) }
        }

        func awaitEnd() { _ = course.wait(until: nil) { $0.isOver ? true : nil } }

        private func run() {
            body?()
            body = nil
            if callsPlugins { CallWatch.shared.remove(self) }
            course.change { $0.isOver = true }
        }
    }
}
