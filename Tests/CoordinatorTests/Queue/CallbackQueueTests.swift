import System
import Testing

/// The delegate's call-backs come one after another, on one thread, when they are due.
@Suite struct CallbackQueueTests {
    @Test("Jobs run in the order in which they were posted, all on the queue's thread")
    func order() {
        let queue = CallbackQueue()
        let notes = Notes<Int>()
        let current = Notes<Bool>()
        for number in 0..<1_000 {
            queue.post {
                current.add(queue.isCurrent)
                notes.add(number)
            }
        }
        #expect(notes.wait(for: 1_000))
        queue.close()
        #expect(notes.all == Array(0..<1_000))
        #expect(current.all.allSatisfy { $0 })
        #expect(!queue.isCurrent)
    }

    @Test("A job with a delay runs although nothing else is ever posted")
    func delayedAlone() {
        let queue = CallbackQueue()
        let notes = Notes<Int64>()
        // The thread waits with nothing to do before it gets the job.
        let idle = Notes<Bool>()
        queue.post { idle.add(true) }
        #expect(idle.wait(for: 1))
        let posted = SystemTime.monotonic()
        queue.post(after: 50_000) { notes.add(SystemTime.monotonic()) }
        #expect(notes.wait(for: 1))
        #expect(notes.all.allSatisfy { $0 >= posted + 50_000 })
        queue.close()
    }

    @Test("A job that is due sooner does not wait for a later one that was posted before")
    func soonerOvertakes() {
        let queue = CallbackQueue()
        let notes = Notes<String>()
        queue.post(after: 3_600_000_000) { notes.add("in an hour") }
        queue.post { notes.add("now") }
        #expect(notes.wait(for: 1))
        queue.post(after: 20_000) { notes.add("soon") }
        #expect(notes.wait(for: 2))
        #expect(notes.all == ["now", "soon"])
        queue.close()
    }

    @Test("Closing waits for the running job, drops the others, and takes no more")
    func close() {
        let queue = CallbackQueue()
        let gate = Gate()
        let notes = Notes<String>()
        queue.post {
            gate.pass()
            notes.add("running")
        }
        queue.post(after: 3_600_000_000) { notes.add("later") }
        #expect(gate.waitForVisitor())
        gate.open()
        queue.close()
        queue.post { notes.add("after") }
        #expect(notes.all == ["running"])
    }

    @Test("A job may close the queue")
    func closeInside() {
        let queue = CallbackQueue()
        let notes = Notes<String>()
        queue.post {
            queue.close()
            notes.add("closed")
        }
        queue.post(after: 1) { notes.add("dropped") }
        #expect(notes.wait(for: 1))
        queue.close()
        #expect(notes.all == ["closed"])
    }
}
