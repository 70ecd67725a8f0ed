internal import Glibc
internal import HostSupport

/// An open input: a file, or standard input for the operand `-`.
final class InputFile {
    /// Why an input cannot be read.
    struct Failure: Error {
        /// What happened and where.
        let message: String
        /// How the program ends then.
        let exitCode: ExitCode
    }

    /// The name that messages use.
    let name: String
    private let descriptor: Int32

    init(_ operand: String) throws(Failure) {
        name = operand == "-" ? "standard input" : operand
        descriptor = operand == "-" ? dup(STDIN_FILENO) : unsafe open(operand, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(name) }
    }

    deinit {
        close(descriptor)
    }

    /// Reads some bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.failure(name) }
        }
    }

    private static func failure(_ name: String) -> Failure {
        Failure(message: "\(name): cannot read it: \(SystemError.text(errno))", exitCode: .noInput)
    }
}
