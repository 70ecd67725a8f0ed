import Glibc
internal import System
internal import TextEncoding

/// The program's standard output and standard error: data goes to the first, progress and notes to the second.
package enum StandardStream: Int32, Sendable {
    /// For data.
    case output = 1
    /// For progress, notes and errors.
    case error = 2

    /// Writing did not succeed.
    package struct Failure: Error, Equatable, Sendable {
        /// The name of the output in messages.
        package let output: String
        /// The system's error number.
        package let code: Int32

        /// Names the output and the system's error number.
        package init(output: String, code: Int32) {
            self.output = output
            self.code = code
        }

        /// How the program ends then.
        package var exitCode: ExitCode { .outputFailed }

        /// What happened and what to do.
        package var message: String {
            let advice = code == ENOSPC ? "; make room on the disk and run again" : ""
            return "cannot write to \(output): \(SystemError.text(code))\(advice)"
        }
    }

    /// What stands behind the stream.
    package var terminal: Terminal { Terminal(descriptor: rawValue) }

    /// Whether it is a pipe that nobody reads any more.
    package var isAbandoned: Bool {
        var request = pollfd(fd: rawValue, events: 0, revents: 0)
        return unsafe poll(&request, 1, 0) == 1 && Int32(request.revents) & POLLERR != 0
    }

    /// Has each fault of a stream be an error of what is written there; to be called first of all.
    ///
    /// A reader that went away does not end the program. A stream that the program was started without is `/dev/null`,
    /// or the next file that is opened would get what is written to the stream; it is opened the other way round, so
    /// that reading and writing fail as they should.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all of the text.
    package func write(_ text: String) throws(Failure) {
        let name = self == .output ? "standard output" : "standard error"
        try StandardStream.write(text, to: rawValue, named: name)
    }

    /// Writes all of the text to an open file descriptor, which messages call by the name.
    package static func write(_ text: String, to descriptor: Int32, named name: String) throws(Failure) {
        try write(Array(text.utf8), to: descriptor, named: name)
    }

    /// Writes all of the bytes to an open file descriptor, which messages call by the name.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, named name: String) throws(Failure) {
        do throws(SystemFailure) {
            try FileDescriptor(descriptor).writeAll(bytes)
        } catch {
            throw Failure(output: name, code: error.number)
        }
    }

    /// Writes lines to standard error, with escapes for what a terminal would obey; that they cannot be written is
    /// nobody's concern.
    package static func note(_ text: String) {
        try? StandardStream.error.write(PrintableText.escaped(lines: text) + "\n")
    }
}

/// A file for what comes of the work, such as a summary; made before the work, so that it is not done in vain.
package final class SummaryFile {
    private let path: String
    private let descriptor: Int32

    /// Makes the file, or empties it; a new one that is personal can be read by its owner alone.
    package init(_ path: String, isPersonal: Bool = false) throws(HostError) {
        self.path = path
        // What the program's own streams go to may have content already.
        descriptor =
            switch path {
            case "/dev/stdout": fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            case "/dev/stderr": fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            default: PathName.openOutput(path, mode: isPersonal ? 0o600 : 0o644)
            }
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: SystemError.text(ofOutput: errno)) }
    }

    deinit {
        close(descriptor)
    }

    /// Writes the text.
    package func write(_ text: String) throws(HostError) { try write(Array(text.utf8)) }

    /// Writes the bytes.
    package func write(_ bytes: [UInt8]) throws(HostError) {
        try HostError.writing { () throws(StandardStream.Failure) in
            try StandardStream.write(bytes, to: descriptor, named: path)
        }
    }
}

extension TextFile {
    /// Puts a file that only its owner can read in the place of one: after a crash there is the old one or the new one.
    ///
    /// A link is followed. What is no file, such as a pipe or `/dev/null`, stays what it is and gets the text.
    package static func replace(_ name: String, with text: String) throws(HostError) {
        let path = PathName.resolved(name)
        var status = stat()
        let isThere = unsafe stat(PathName.bytes(path), &status) == 0
        if name.hasPrefix("/dev/") || isThere && status.st_mode & S_IFMT != S_IFREG {
            return try SummaryFile(name).write(text)
        }
        let part = "\(path).part"
        let descriptor = PathName.openOutput(part, O_TRUNC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: SystemError.text(errno)) }
        var isReplaced = false
        defer {
            close(descriptor)
            if !isReplaced { unsafe unlink(PathName.bytes(part)) }
        }
        fchmod(descriptor, 0o600)
        try HostError.writing { () throws(StandardStream.Failure) in
            try StandardStream.write(text, to: descriptor, named: part)
        }
        guard fsync(descriptor) == 0, unsafe rename(PathName.bytes(part), PathName.bytes(path)) == 0 else {
            throw .cannotCreate(path: path, reason: SystemError.text(errno))
        }
        isReplaced = true
    }
}
