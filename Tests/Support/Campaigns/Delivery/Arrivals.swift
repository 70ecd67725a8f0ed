internal import Glibc
internal import LoopbackServer
internal import System

/// What a server was sent, and what it answered with success.
final class Arrivals: Sendable {
    /// When a beacon was answered with success, s of the monotonic clock.
    private let successes = Lock<[Int: [Double]]>([:])
    /// The beacons that were refused at least once.
    private let refusals = Lock<Set<Int>>([])

    /// Notes an answer.
    func note(_ answer: Answer) {
        guard let number = Self.number(answer.request) else { return }
        if answer.status == 403 { refusals.with { _ = $0.insert(number) } }
        guard answer.status == 200, answer.bytesSent == answer.bytesPromised else { return }
        let now = Self.now()
        successes.with { $0[number, default: []].append(now) }
    }

    /// What is wrong with what arrived; nil when every beacon arrived, unchanged, and nothing else.
    ///
    /// Those that were given up were not answered with success, or were so right before a kill.
    func problem(_ requests: [RecordedRequest], beacons: Int, givenUp: Set<Int> = []) -> String? {
        let arrived = Set(requests.compactMap(Self.number))
        let expected = Set(1...beacons)
        guard arrived == expected else {
            return "missing \(expected.subtracting(arrived).sorted().prefix(10)), unexpected "
                + "\(arrived.subtracting(expected).sorted().prefix(10))"
        }
        let answered = successes.with { Set($0.keys) }.union(givenUp)
        guard answered == expected else {
            return "\(expected.subtracting(answered).count) beacons were never answered with success"
        }
        guard Set(requests.map { "\($0.header("x-beacon") ?? "") \($0.text)" }).count == beacons else {
            return "a beacon changed between two tries"
        }
        return nil
    }

    /// How many beacons were answered for good so far, with success or not.
    var count: Int { successes.with { Set($0.keys) }.union(refusals.with { $0 }).count }

    /// Beacons that were answered with success more than once: how many, and those of them that no kill explains.
    ///
    /// A kill between two answers explains the second one when the beacon was still in the spool behind it: that the
    /// server had answered was not committed.
    func duplicates(_ kills: [Kill] = []) -> (count: Int, unexplained: [Int]) {
        let repeated = successes.with { $0.filter { $0.value.count > 1 } }
        let unexplained = repeated.filter { number, times in
            let ordered = times.sorted()
            return zip(ordered, ordered.dropFirst()).contains { first, second in
                !kills.contains { $0.explains(first, second) && $0.waiting.contains(number) }
            }
        }
        return (repeated.count, unexplained.keys.sorted())
    }

    /// The monotonic clock, s.
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func number(_ request: RecordedRequest) -> Int? {
        request.header("x-beacon")?.split(separator: "/").last.flatMap { Int($0) }
    }
}
