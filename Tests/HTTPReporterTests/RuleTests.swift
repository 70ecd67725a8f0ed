import HTTPTransfer
import Spooling
import Testing

/// Rules that need no server.
@Suite("Rules of the reporter http")
struct RuleTests {
    @Test("Waits double from the first to the longest, and of each a random part of at least half is waited")
    func delays() {
        let policy = RetryPolicy()
        for failures in 1...60 as ClosedRange<Int64> {
            let whole: Int64 = min(300_000, 500 << min(failures - 1, 20))
            #expect(policy.delay(failures: failures, random: 0) == whole / 2)
            #expect(policy.delay(failures: failures, random: UInt64(whole / 2)) == whole)
            for random in [1, 12_345, 9_876_543_210, .max] as [UInt64] {
                let delay = policy.delay(failures: failures, random: random)
                #expect(delay >= whole / 2 && delay <= whole)
            }
        }
    }

    @Test("A second try is for 408, 425, 429 and 5xx, but for 501 and 505")
    func statuses() {
        let tried = (300...599).filter { TransferFailure.mayRetry(status: $0) }
        #expect(tried == [408, 425, 429] + (500...599).filter { $0 != 501 && $0 != 505 })
    }

    /// Takes numbers one after another, and says of each whether it was new.
    private static func insert(_ numbers: [UInt64], _ stream: inout TakenStream, losses: Int64 = 0) -> [Bool] {
        numbers.map { stream.insert($0, losses: losses) }
    }

    @Test("A number is taken once; without a loss, what lies between was not for this reporter")
    func once() {
        var stream = TakenStream(highest: 0, missing: [])
        #expect(Self.insert([1, 1, 5, 3, 5, 6], &stream) == [true, false, true, false, false, true])
        #expect(stream.missing.isEmpty && stream.highest == 6)
    }

    @Test("What a loss cost is taken when it comes again, once")
    func holes() {
        var stream = TakenStream(highest: 0, missing: [])
        #expect(Self.insert([10], &stream) == [true])
        #expect(Self.insert([20], &stream, losses: 1) == [true])
        #expect(stream.missing == [11...19])
        #expect(Self.insert([15, 15], &stream, losses: 1) == [true, false])
        #expect(stream.missing == [11...14, 16...19])
        let rest: [UInt64] = [11, 14, 19, 16, 12, 13, 17, 18]
        #expect(Self.insert(rest + rest + [10, 21], &stream, losses: 1).filter { $0 }.count == rest.count + 1)
        #expect(stream.missing.isEmpty && stream.highest == 21)
    }
}
