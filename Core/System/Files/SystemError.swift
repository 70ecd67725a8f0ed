internal import Glibc

/// Texts of the system's error numbers.
package enum SystemError {
    /// The text for an error number, such as "No such file or directory".
    package static func text(_ number: Int32) -> String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        let advice = number == EMFILE ? "; raise the limit of open files (ulimit -n)" : ""
        return unsafe String(cString: text) + advice
    }

    /// The same for an output that was opened with ``FileNames/outputFlags(_:)``.
    package static func text(ofOutput number: Int32) -> String {
        number == ELOOP
            ? "it is a symbolic link in a folder that others can write, or links in a circle" : text(number)
    }
}

extension String {
    /// The text with another beginning, when it begins with `prefix`.
    package func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
