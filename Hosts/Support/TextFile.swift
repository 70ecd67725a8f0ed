internal import System

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
        let content: [UInt8]
        do throws(SystemFailure) {
            content = try WholeFile.read(PathName.bytes(path), limit: limit)
        } catch {
            throw .system(error.number)
        }
        guard content.count <= limit else { throw .tooLarge(limit: limit) }
        return content.starts(with: Self.mark) ? Array(content.dropFirst(3)) : content
    }
}
