internal import Glibc

/// Why a server of the tests cannot be had.
package enum RealServerError: Error, CustomStringConvertible {
    /// A file or folder cannot be made.
    case folder(String, Int32)
    /// A program cannot be started, or failed.
    case program(String, code: Int32, log: String)
    /// No connection came about in time.
    case silent(String, log: String)

    /// What went wrong.
    package var description: String {
        switch self {
        case .folder(let path, let number): "\(path): error \(number)"
        case .program(let path, let code, let log): "\(path) ended with \(code): \(log)"
        case .silent(let path, let log): "\(path) takes no connection: \(log)"
        }
    }
}
