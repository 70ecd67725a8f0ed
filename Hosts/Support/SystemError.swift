import Glibc

/// The system's error numbers in words.
package enum SystemError {
    /// The system's text for an error number, in English.
    package static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
