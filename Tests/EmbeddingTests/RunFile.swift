import Glibc

/// The name of a file of one test; the file is removed with this object.
final class RunFile {
    let path: String

    init(_ suffix: String) {
        var random = SystemRandomNumberGenerator()
        path = "/tmp/tally-embedding-\(getpid())-\(random.next())\(suffix)"
    }

    deinit {
        unsafe unlink(path)
    }
}
