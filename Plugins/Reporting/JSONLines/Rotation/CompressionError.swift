internal import Glibc

/// Why a finished file could not be compressed; it stays as it is.
struct CompressionError: Error, CustomStringConvertible {
    private let path: String
    private let code: Int32

    /// Names the file and the system's reason.
    init(_ path: String, _ code: Int32) {
        self.path = path
        self.code = code
    }

    /// One line: what, where, what becomes of it.
    var description: String {
        "cannot compress into \"\(path)\": \(OutputFileError.text(code)); the file stays uncompressed, and is tried again "
            + "when the next one is finished"
    }
}
