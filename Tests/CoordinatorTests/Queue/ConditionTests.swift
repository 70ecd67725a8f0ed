import System
import Testing

/// A lock that threads can wait on.
@Suite struct ConditionTests {
    @Test("Each change wakes those who wait, in a game that stops when one wake-up is lost")
    func pingPong() {
        let turn = Condition(0)
        let rounds = 20_000
        let players = (0..<2).map { player in
            Thread(name: "player") {
                for round in 0..<rounds {
                    let mine = round * 2 + player
                    _ = turn.wait(until: nil) { $0 == mine ? true : nil }
                    turn.change { $0 += 1 }
                }
            }
        }
        for player in players { player.join() }
        #expect(turn.with { $0 } == rounds * 2)
    }

    @Test("A deadline ends the wait with what the body says then")
    func deadline() {
        let condition = Condition(5)
        #expect(condition.wait(until: SystemTime.monotonic() + 1_000) { $0 > 5 ? true : nil } == nil)
        #expect(condition.wait(until: SystemTime.monotonic() - 1_000_000) { $0 == 5 ? "five" : nil } == "five")
        #expect(condition.wait(until: 0) { $0 > 5 ? true : nil } == nil)
    }

    @Test("With does not wake, wakeAll does")
    func wakeAll() {
        let condition = Condition(false)
        let looked = Notes<Bool>()
        let waiter = Thread(name: "waiter") {
            _ = condition.wait(until: nil) { value -> Bool? in
                looked.add(value)
                return value ? true : nil
            }
        }
        #expect(looked.wait(for: 1))
        condition.with { $0 = true }
        condition.wakeAll()
        waiter.join()
        #expect(looked.all.last == true)
    }
}
