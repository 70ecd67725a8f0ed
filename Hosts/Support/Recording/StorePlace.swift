internal import Glibc

/// Where the trackers' persistent values are kept.
package enum StorePlace {
    /// Makes sure that the file can be read and written, so that a run is not in vain.
    ///
    /// The file is replaced as a whole: its folder has to take another one beside it.
    package static func check(_ path: String) throws(HostError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw .cannotCreate(path: path, reason: "it is a directory")
            default: throw .cannotCreate(path: path, reason: "it is no ordinary file")
            }
            guard unsafe access(path, R_OK) == 0 else {
                throw .cannotCreate(path: path, reason: SystemError.text(errno))
            }
        }
        let beside = "\(path).\(getpid()).part"
        let descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: SystemError.text(errno)) }
        close(descriptor)
        unsafe unlink(beside)
    }
}
