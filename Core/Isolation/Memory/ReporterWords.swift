internal import Glibc
internal import PluginABI
internal import System

/// What the player asks of a reporter's process, by the channel; texts and outputs of it lie in the memory of outputs.
struct ReporterCall: BitwiseCopyable {
    /// What is asked.
    enum Kind: UInt32 {
        case enable = 1
        case disable
        case destroy
        /// The text is the configuration.
        case configure
        /// The texts are the command and its arguments.
        case command
        /// `count` outputs, whose list lies at `list`.
        case take
        /// The text is the run's id.
        case flush
    }

    var kind: UInt32
    var session: UInt32 = 0
    var count: UInt64 = 0
    var list: UInt64 = 0
    /// Bytes in the memory.
    var bytes: UInt64 = 0
    /// Where the memory lies in the player.
    var base: UInt64 = 0
    var token: UInt64 = 0
    var budget: Int64 = 0

    init(_ kind: Kind) { self.kind = kind.rawValue }
}

/// What a reporter's process says, by the channel: this, then bytes of text.
///
/// It may be anything.
struct ReporterWord: BitwiseCopyable {
    /// What is said.
    enum Kind: UInt32 {
        /// The answer to the call, or that the instance is made, with its commands; of what refuses `flag` is a
        /// ``Refusal`` plus one. `token` is what it wants.
        case answer = 1
        case ready
        case flushed
        /// A line of the log; `flag` is its level.
        case log
    }

    /// Bytes of the longest text.
    static let longest = 4 * 1024 * 1024

    var kind: UInt32
    var flag: UInt32 = 0
    var number: Int64 = 0
    var token: UInt64 = 0
    var delivered: UInt64 = 0
    var kept: UInt64 = 0
    var dropped: UInt64 = 0
    var count: UInt64 = 0

    init(_ kind: Kind) { self.kind = kind.rawValue }
}

extension FileDescriptor {
    /// Reads a structure of numbers, whole.
    func receive<Head: BitwiseCopyable>(_ empty: Head) throws(SystemFailure) -> Head {
        var head = empty
        try unsafe (withUnsafeMutableBytes(of: &head) { unsafe readAll(into: $0) }).get()
        return head
    }

    /// Reads so many bytes.
    func receive(bytes count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try unsafe (bytes.withUnsafeMutableBytes { unsafe readAll(into: $0) }).get()
        return bytes
    }

    private func readAll(into buffer: UnsafeMutableRawBufferPointer) -> Result<Void, SystemFailure> {
        var done = 0
        while done < buffer.count {
            do throws(SystemFailure) {
                let count = unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
                guard count > 0 else { return .failure(SystemFailure(number: EPIPE)) }
                done += count
            } catch {
                return .failure(error)
            }
        }
        return .success(())
    }
}
