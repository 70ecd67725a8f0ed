internal import Glibc
internal import HostSupport
internal import KafkaClient
internal import System

/// A topic of Kafka as a pipe of lines, which a thread of its own fills.
final class TopicPipe: Sendable {
    /// Why a topic cannot be read.
    struct Failure: Error {
        let reason: String
    }

    /// The end that is read; the reader's to close.
    let descriptor: Int32
    private let failure: Lock<String>

    /// Whether an operand names a topic.
    static func names(_ operand: String) -> Bool { operand.hasPrefix(KafkaAddress.scheme) }

    /// Asks the brokers what the topic holds, and begins to read it.
    init(_ operand: String) throws(Failure) {
        let reader: KafkaReading
        do throws(KafkaFailure) {
            let address = try KafkaAddress(operand)
            guard address.group == nil else {
                throw KafkaFailure("'group' is for a replay of this topic alone: leave it out to read all of the topic")
            }
            reader = KafkaReading(try KafkaReader(address, Self.properties(address.file)))
        } catch {
            throw Failure(reason: error.description)
        }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw Failure(reason: "there is no pipe to read it through: \(SystemError.text(errno))")
        }
        descriptor = ends[0]
        let (target, failure) = (ends[1], Lock(""))
        self.failure = failure
        _ = Thread(name: "tally-topic") {
            if let error = reader.value.copy(to: target) { failure.with { $0 = error.description } }
            close(target)
        }
    }

    /// Why it ended before the topic was read; empty when it did not.
    var problem: String { failure.with { $0 } }

    /// Properties in a file, one a line; what begins with `#` is for people.
    static func properties(_ path: String?) throws(KafkaFailure) -> [(name: String, value: String)] {
        guard let path else { return [] }
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path)
        } catch {
            throw KafkaFailure("\(path): cannot read the properties: \(error.reason)")
        }
        var properties: [(name: String, value: String)] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let sides = line.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2 else { throw KafkaFailure("\(path): a line is none of name=value") }
            properties.append((sides[0], sides[1]))
        }
        return properties
    }
}

/// A reader on its way to the thread that uses it.
private struct KafkaReading: @unchecked Sendable {
    let value: KafkaReader

    init(_ value: KafkaReader) { self.value = value }
}

extension KafkaReader {
    /// Writes each message as a line; why it ended early, nil when all is written.
    ///
    /// Who reads the other end may close it before: that is no failure.
    fileprivate func copy(to descriptor: Int32) -> KafkaFailure? {
        var lines: [UInt8] = []
        do throws(KafkaFailure) {
            while unsafe try next({ line in
                unsafe lines.append(contentsOf: line)
                lines.append(UInt8(ascii: "\n"))
            }) {
                let written: Result<Void, SystemFailure> = unsafe lines.withUnsafeBytes { bytes in
                    Result { () throws(SystemFailure) in unsafe try FileDescriptor(descriptor).writeAll(bytes) }
                }
                guard case .success = written else { return nil }
                lines.removeAll(keepingCapacity: true)
            }
            return nil
        } catch {
            return error
        }
    }
}
