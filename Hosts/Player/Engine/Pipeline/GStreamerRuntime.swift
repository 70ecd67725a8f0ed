import CGStreamer
import Glibc

enum GStreamerRuntime {
    /// The loaded version; the first use starts GStreamer.
    static let version: String = {
        chooseRegistry()
        gst_init(nil, nil)
        // The start may take over the user's locale, and numbers would be printed with its decimal sign.
        unsafe setlocale(LC_ALL, "C")
        var (major, minor, micro, nano) = (guint(0), guint(0), guint(0), guint(0))
        unsafe gst_version(&major, &minor, &micro, &nano)
        return "\(major).\(minor).\(micro)"
    }()

    /// Keeps the list of plugins in a file that can be written, so that not every start scans all of them.
    private static func chooseRegistry() {
        guard unsafe getenv("GST_REGISTRY") == nil else { return }
        for directory in cacheDirectories() where isUsable(directory) {
            unsafe setenv("GST_REGISTRY", directory + "/gstreamer-registry.bin", 0)
            return
        }
    }

    private static func cacheDirectories() -> [String] {
        var found: [String] = []
        if let cache = environment("XDG_CACHE_HOME") { found.append(cache + "/tally") }
        if let home = environment("HOME") {
            unsafe mkdir(home + "/.cache", 0o700)
            found.append(home + "/.cache/tally")
        }
        return found + ["/tmp/tally-cache-\(getuid())"]
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// A directory of somebody else could hold a prepared list, so it must be ours.
    private static func isUsable(_ directory: String) -> Bool {
        unsafe mkdir(directory, 0o700)
        var status = stat()
        guard unsafe lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return unsafe status.st_uid == getuid() && access(directory, W_OK) == 0
    }
}
