import Glibc

/// Reads small files whole.
package enum TextFile {
    /// Why a file could not be read.
    package enum Failure: Error, Equatable, Sendable {
        /// The system refused, with its error number.
        case system(Int32)
        /// The file is larger than the limit, in bytes.
        case tooLarge(limit: Int)

        /// The reason in words.
        package var reason: String {
            switch self {
            case .system(let code): SystemError.text(code)
            case .tooLarge(let limit): "the file is larger than \(limit) bytes"
            }
        }
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes of a file, without the mark of the byte order that some editors put in front.
    package static func read(_ path: String, limit: Int = 16_777_216) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .system(errno) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            if count == 0 { return content.starts(with: Self.mark) ? Array(content.dropFirst(3)) : content }
            content += chunk[0..<count]
            if content.count > limit { throw .tooLarge(limit: limit) }
        }
    }
}

/// The system's error numbers in words.
package enum SystemError {
    /// The system's text for an error number, in English.
    package static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
