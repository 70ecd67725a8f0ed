import System
import Testing

/// Threads, the lock and the condition that everything else stands on.
@Suite struct ThreadTests {
    @Test("Join waits for the function, also the second time and from the thread itself without hanging")
    func join() {
        let notes = Notes<String>()
        let gate = Gate()
        let thread = Thread(name: "a name that is longer than Linux shows") {
            gate.pass()
            notes.add("done")
        }
        #expect(!thread.isCurrent)
        gate.open()
        thread.join()
        #expect(notes.all == ["done"])
        thread.join()
    }

    @Test("A thread knows itself, and joining itself returns at once")
    func itself() {
        let box = Lock<Thread?>(nil)
        let started = Gate()
        let notes = Notes<Bool>()
        let thread = Thread(name: "self") {
            started.pass()
            guard let mine = box.with({ $0 }) else { return }
            mine.join()
            notes.add(mine.isCurrent)
        }
        box.with { $0 = thread }
        started.open()
        #expect(notes.wait(for: 1))
        #expect(notes.all == [true])
        box.with { $0 = nil }
    }

    @Test("A thread is shown under its name, cut to what Linux takes")
    func name() {
        let notes = Notes<String>()
        let thread = Thread(name: "tally-0123456789abcdef") {
            let name = (try? TestFile.bytes("/proc/thread-self/comm")) ?? []
            notes.add(String(decoding: name.dropLast(), as: UTF8.self))
        }
        thread.join()
        #expect(notes.all == ["tally-012345678"])
    }

    @Test("A lock lets one thread at a time at its value")
    func lock() {
        let lock = Lock(0)
        let threads = (0..<4).map { _ in
            Thread(name: "counter") {
                for _ in 0..<20_000 {
                    lock.with { $0 += 1 }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(lock.with { $0 } == 80_000)
    }

    @Test("A lock is free again after its body has thrown")
    func throwing() {
        struct Refusal: Error {}
        let lock = Lock(1)
        #expect(throws: Refusal.self) {
            try lock.with { value in
                value = 2
                throw Refusal()
            }
        }
        #expect(lock.with { $0 } == 2)
    }
}
