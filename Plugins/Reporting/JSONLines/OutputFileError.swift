internal import Glibc

/// Why a file could not be opened, written or closed.
enum OutputFileError: Error, CustomStringConvertible {
    /// The system refused to open it.
    case open(path: String, code: Int32)
    /// The system refused to write to it.
    case write(path: String, code: Int32)
    /// The system found on closing it that not all was written.
    case close(path: String, code: Int32)

    /// One line: what, where, what to do.
    var description: String {
        switch self {
        case .open(let path, let code):
            "cannot open \"\(path)\" for writing: \(Self.text(code)); create its folder, make it writable, or set "
                + "\"path\" to another file"
        case .write(let path, let code):
            "cannot write to \"\(path)\": \(Self.text(code)); make room or set \"path\" to another file"
        case .close(let path, let code):
            "closing \"\(path)\" failed: \(Self.text(code)); its last lines may be missing"
        }
    }

    private static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe "\(String(cString: text)) (errno \(code))"
    }
}
