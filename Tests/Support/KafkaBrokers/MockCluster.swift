internal import ChildPrograms
internal import Glibc
internal import System
internal import TestFiles

/// librdkafka's mock cluster in the program `kafka-brokers`: brokers on 127.0.0.1 that every client takes for Kafka's.
///
/// A partition keeps 100,000 messages or 5 MiB, and forgets the oldest beyond that. What it is told is done when the call
/// is back; the program ends with the last reference.
package final class MockCluster: Sendable {
    /// A request that brokers can be made to refuse, by its number in the protocol.
    package enum Request: Int16 {
        case produce = 0
        case metadata = 3
    }

    /// What a broker may answer, by its number in the protocol.
    package enum Answer: Int32 {
        case leaderNotAvailable = 5
        case notLeader = 6
        case timedOut = 7
        case messageTooLarge = 10
        case notEnoughReplicas = 19
        case topicUnauthorized = 29
        /// The connection is cut.
        case cut = -195
    }

    /// How many brokers there are; they are numbered from 1.
    package let brokers: Int
    /// Their addresses, as a client is given them.
    package let addresses: String

    private let folder = TemporaryFolder()
    private let program: ChildProgram
    private let pipes: Lock<CommandPipes>

    /// Starts so many brokers.
    ///
    /// - Throws: ``MockClusterFailure`` where the program does not begin.
    package init(brokers: Int = 3) throws {
        self.brokers = brokers
        let pipes = try CommandPipes(in: folder)
        program = try ChildProgram("kafka-brokers", ["\(brokers)"], input: pipes.input, output: pipes.output)
        guard let addresses = pipes.line(while: { [program] in program.state == .running }) else {
            throw MockClusterFailure()
        }
        self.addresses = addresses
        self.pipes = Lock(pipes)
    }

    /// Makes a topic; one that nobody has made has 4 partitions.
    package func create(topic: String, partitions: Int) {
        perform("create \(topic) \(partitions)")
    }

    /// Cuts a broker's connections and takes no others until it is up again; nil means all of them.
    package func setDown(_ broker: Int? = nil) {
        for broker in broker.map({ [$0] }) ?? Array(1...brokers) { perform("down \(broker)") }
    }

    /// Has a broker take connections again; nil means all of them.
    package func setUp(_ broker: Int? = nil) {
        for broker in broker.map({ [$0] }) ?? Array(1...brokers) { perform("up \(broker)") }
    }

    /// Moves a partition to another broker.
    package func setLeader(of topic: String, _ partition: Int, to broker: Int) {
        perform("leader \(topic) \(partition) \(broker)")
    }

    /// Lets answers of all brokers take so long, ms.
    package func setDelay(_ milliseconds: Int) {
        perform("delay \(milliseconds)")
    }

    /// Has the next requests of a kind answered so, one after the other.
    package func answer(_ request: Request, _ answers: [Answer]) {
        perform("answer \(request.rawValue) " + answers.map { "\($0.rawValue)" }.joined(separator: " "))
    }

    /// Has requests of a kind answered as they should be again.
    package func answerWell(_ request: Request) {
        perform("well \(request.rawValue)")
    }

    /// Has the program do something, and waits until it has.
    private func perform(_ command: String) {
        let answer = pipes.with { pipes in
            pipes.write(command)
            return pipes.line(while: { program.state == .running })
        }
        guard answer != "ok" else { return }
        print("kafka-brokers: \(command): \(answer ?? "it has ended: \(program.state)")")
    }
}

/// The cluster could not be started.
package struct MockClusterFailure: Error {}

/// The pipes to a program and from it, a line each way.
@safe private final class CommandPipes {
    /// Where the program reads and where it writes.
    let input: String
    let output: String
    private let commands: Int32
    private let answers: Int32
    private var read: [UInt8] = []

    init(in folder: TemporaryFolder) throws {
        input = folder.file("commands")
        output = folder.file("answers")
        guard unsafe mkfifo(input, 0o600) == 0, unsafe mkfifo(output, 0o600) == 0 else { throw MockClusterFailure() }
        // For both, so that neither side waits for the other to open it.
        commands = unsafe open(input, O_RDWR | O_CLOEXEC)
        answers = unsafe open(output, O_RDWR | O_CLOEXEC)
    }

    deinit {
        close(commands)
        close(answers)
    }

    func write(_ command: String) {
        let bytes = Array("\(command)\n".utf8)
        _ = unsafe Glibc.write(commands, bytes, bytes.count)
    }

    /// The next line that the program says; nil when it has ended.
    func line(while isRunning: () -> Bool) -> String? {
        while true {
            if let end = read.firstIndex(of: UInt8(ascii: "\n")) {
                defer { read.removeFirst(end + 1) }
                return String(decoding: read[..<end], as: UTF8.self)
            }
            var state = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&state, 1, 200) == 0 {
                guard isRunning() else { return nil }
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = unsafe Glibc.read(answers, &bytes, bytes.count)
            if count > 0 { read += bytes.prefix(count) }
        }
    }
}
