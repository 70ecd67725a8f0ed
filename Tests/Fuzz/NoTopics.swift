/// In the place of `tally-replay`'s own: a comparison is fuzzed without Kafka, and no operand names a topic.
final class TopicPipe {
    struct Failure: Error {
        let reason: String
    }

    let descriptor: Int32 = -1
    let problem = ""

    static func names(_ operand: String) -> Bool { false }

    init(_ operand: String) throws(Failure) { throw Failure(reason: "there are no topics here") }
}
