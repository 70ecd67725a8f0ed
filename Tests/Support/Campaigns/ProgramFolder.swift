internal import Glibc

/// The folder of the running program, in which all programs and plugins of the package lie.
package enum ProgramFolder {
    /// Its path; that of the present folder when the system does not tell.
    package static let path: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }()
}
