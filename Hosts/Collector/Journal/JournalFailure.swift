internal import System

/// Why entries cannot be made safe.
package struct JournalFailure: Error, Equatable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// The system's error number; 0 when what is there is damaged.
    package let number: Int32
    /// What could not be done.
    package let action: String

    package var description: String {
        let reason = number == 0 ? "" : ": \(SystemError.text(number))"
        return "\(path): cannot \(action) the journal\(reason)"
    }
}
