internal import Glibc
internal import System

/// The libraries of sanitizers, which a process has to begin with.
enum Sanitizer {
    private static let names = ["libasan.so.", "liblsan.so.", "libtsan.so.", "libubsan.so."]
    private static let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]

    /// Where the library of AddressSanitizer is; nil when none is installed.
    static var address: String? {
        for folder in folders {
            let found = FileNames.names(in: folder, endingWith: "") ?? []
            if let name = found.filter({ $0.hasPrefix(names[0]) }).max() { return "\(folder)/\(name)" }
        }
        return nil
    }

    /// Begins the program anew with the sanitizer that the plugin was built with, which cannot be loaded later.
    ///
    /// Returns where there is none, or the program has it already.
    static func beginAnew(with words: [String]) {
        guard unsafe getenv("LD_PRELOAD") == nil else { return }
        let files = words.dropFirst().filter { $0.contains(".so") }
        let needed = files.compactMap { try? ElfImage(path: $0) }.flatMap(\.needed)
        let wanted = needed.filter { library in names.contains { library.hasPrefix($0) } }
        let libraries = wanted.compactMap { library -> String? in
            folders.map { "\($0)/\(library)" }.first { (path: String) in unsafe access(path, R_OK) == 0 }
        }
        guard !libraries.isEmpty, libraries.count == wanted.count else { return }
        unsafe setenv("LD_PRELOAD", libraries.joined(separator: ":"), 1)
        // What the program itself keeps to its end is no leak of the plugin.
        for variable in ["ASAN_OPTIONS", "LSAN_OPTIONS"] { unsafe setenv(variable, "detect_leaks=0", 0) }
        var arguments = unsafe (["tally-plugin"] + words).map { unsafe strdup($0) } + [nil]
        unsafe execv("/proc/self/exe", &arguments)
    }
}
