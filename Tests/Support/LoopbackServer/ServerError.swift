import Glibc

/// Why a server could not start.
package enum ServerError: Error, Equatable, CustomStringConvertible {
    /// The port is taken, or the system gives no socket or thread; the code is an `errno` value.
    case cannotListen(port: UInt16, code: Int32)
    /// The folder to serve is missing or no folder.
    case notADirectory(path: String)

    package var description: String {
        switch self {
        case .cannotListen(let port, let code):
            let reason = unsafe String(cString: strerror(code))
            let advice = port == 0 ? "" : "; choose another port, or 0 for any that is free"
            return "cannot listen on 127.0.0.1:\(port): \(reason)\(advice)"
        case .notADirectory(let path):
            return "'\(path)' is not a directory that can be read; give the folder whose files are to be served"
        }
    }
}
