internal import Glibc

/// Texts of the system's error numbers.
package enum SystemError {
    /// The text for an error number, such as "No such file or directory".
    package static func text(_ number: Int32) -> String {
        if number == ELOOP { return "it is a symbolic link in a folder that others can write, or links in a circle" }
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}

extension String {
    /// The text with another beginning, when it begins with `prefix`.
    package func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
