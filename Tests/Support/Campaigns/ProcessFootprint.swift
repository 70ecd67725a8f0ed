internal import Glibc

/// What this process holds at one moment.
package struct ProcessFootprint: Sendable, CustomStringConvertible {
    /// Memory that is resident, KiB.
    package let residentKiB: Int
    /// Memory that is resident and that no file is mapped for, KiB.
    package let anonymousKiB: Int
    /// Threads that there are.
    package let threads: Int
    /// Descriptors that are open.
    package let descriptors: Int

    /// Looks at it now; what the allocator keeps for later is given back before.
    package init() {
        Self.trim()
        let status = Self.status()
        residentKiB = status["VmRSS"] ?? 0
        threads = status["Threads"] ?? 0
        anonymousKiB = status["RssAnon"] ?? 0
        descriptors = Self.entries(of: "/proc/self/fd")
    }

    /// The figures in one line.
    package var description: String {
        "\(residentKiB) KiB resident, \(anonymousKiB) KiB anonymous, \(threads) threads, \(descriptors) descriptors"
    }

    /// Lets the allocator keep all memory in one place, so that what is held can be told from what is scattered.
    ///
    /// Each thread has a place of its own otherwise, and playback makes and ends dozens of threads.
    package static func gatherMemory() {
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        let arenaLimit: Int32 = -8
        guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Option.self)(arenaLimit, 1)
    }

    /// Gives back what the allocator keeps; a header that Swift does not see declares it.
    private static func trim() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func status() -> [String: Int] {
        guard let file = unsafe fopen("/proc/self/status", "re") else { return [:] }
        defer { unsafe fclose(file) }
        var found: [String: Int] = [:]
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = unsafe line.withUnsafeBufferPointer { buffer in
                unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
            }
            let words = text.split(whereSeparator: { $0 == ":" || $0.isWhitespace })
            if words.count > 1, let number = Int(words[1]) { found[String(words[0])] = number }
        }
        return found
    }

    private static func entries(of path: String) -> Int {
        guard let directory = unsafe opendir(path) else { return 0 }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        return count
    }
}
