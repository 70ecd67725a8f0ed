internal import Glibc

/// Why a file could not be opened, written or closed.
enum OutputFileError: Error, CustomStringConvertible {
    /// The system refused to open it.
    case open(path: String, code: Int32)
    /// The system refused to write to it.
    case write(path: String, code: Int32)
    /// The system found on closing it that not all was written.
    case close(path: String, code: Int32)
    /// The system could not say that the disk has what was written.
    case synchronise(path: String, code: Int32)
    /// The file could not be put aside.
    case finish(path: String, code: Int32)
    /// It is a device or a pipe, which cannot be put aside.
    case notRegular(path: String)
    /// The file is shorter than its output that is to be taken up.
    case resume(path: String, size: Int)

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
        case .synchronise(let path, let code):
            "the disk may not have all of \"\(path)\": \(Self.text(code)); look after the disk"
        case .finish(let path, let code):
            "cannot put \"\(path)\" aside: \(Self.text(code)); writing goes on in it, make its folder writable"
        case .notRegular(let path):
            "\"\(path)\" is no ordinary file and cannot be rotated; leave \"rotate_bytes\" and \"rotate_s\" out, or set "
                + "\"path\" to another file"
        case .resume(let path, let size):
            "\"\(path)\" no longer holds the \(size) bytes that were written to it; begin anew without the checkpoint"
        }
    }

    /// The system's words for an error.
    static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe "\(String(cString: text)) (errno \(code))"
    }
}
