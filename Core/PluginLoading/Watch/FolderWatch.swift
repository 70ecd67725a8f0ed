internal import CLinux
internal import Glibc
internal import System

/// Watches folders for plugin files, on a thread of its own; folders that are not there yet are watched for.
///
/// Changes of one file that follow closely on each other are one: a file that is installed is written, renamed and
/// given its mode in several steps.
package final class FolderWatch: @unchecked Sendable {
    /// How long a file has to be quiet, us.
    private static let quiet: Int64 = 60_000
    /// How long changes are gathered at most, us.
    private static let longest: Int64 = 400_000

    /// A file with changes that nobody was told of yet.
    private struct Pending {
        var change: FolderChange
        var since: Int64
        var last: Int64
    }

    private let folders: [String]
    private let known: @Sendable (String) -> Bool
    private let report: @Sendable (FolderChange) -> Void
    private let descriptor: Int32
    private let end: Int32
    private var thread: Thread?

    // Of the thread alone.
    private var watched: [Int32: String] = [:]
    private var ancestors: Set<Int32> = []
    private var pending: [String: Pending] = [:]

    /// Begins to watch; nil when the system offers no more watches.
    ///
    /// Files that lie there already and are not `known` are reported at once, and so are those of a folder that
    /// appears.
    package init?(
        folders: [String],
        known: @escaping @Sendable (_ path: String) -> Bool,
        report: @escaping @Sendable (FolderChange) -> Void
    ) {
        descriptor = tally_watch_open()
        end = tally_eventfd()
        guard descriptor >= 0, end >= 0 else {
            Glibc.close(descriptor)
            Glibc.close(end)
            return nil
        }
        self.folders = folders
        self.known = known
        self.report = report
        // Watching before this returns, so that what happens from then on is seen.
        watchAll()
        thread = Thread(name: "tally-watch") { [weak self] in
            while let self, self.step() {}
        }
    }

    deinit {
        close()
        Glibc.close(descriptor)
        Glibc.close(end)
    }

    /// Ends the thread; nothing is reported any more when this returns, unless it is called in a report.
    package func close() {
        var one: UInt64 = 1
        unsafe write(end, &one, 8)
        thread?.join()
    }

    // MARK: - The thread

    private func step() -> Bool {
        let now = SystemTime.monotonic()
        let due = pending.values.map { min($0.last + Self.quiet, $0.since + Self.longest) }.min()
        let wait = due.map { max(0, Int32(($0 - now + 999) / 1000)) } ?? -1
        tally_wait_either(descriptor, end, wait)
        guard tally_wait_readable(end, 0) == 0 else { return false }
        readEvents()
        reportQuietFiles()
        return true
    }

    private func readEvents() {
        let capacity: Int32 = 320
        let events = UnsafeMutablePointer<tally_watch_event>.allocate(capacity: Int(capacity))
        defer { unsafe events.deallocate() }
        var looksAnew = false
        while true {
            let count = unsafe tally_watch_read(descriptor, events, capacity)
            guard count > 0 else { break }
            for index in 0..<Int(count) {
                looksAnew = unsafe handle(&events[index]) || looksAnew
            }
        }
        if looksAnew {
            watchAll()
        }
    }

    /// Gathers one change; true when the folders have to be looked at anew.
    private func handle(_ event: UnsafeMutablePointer<tally_watch_event>) -> Bool {
        let what = unsafe event.pointee.what
        let watch = unsafe event.pointee.watch
        if what & TALLY_WATCH_LOST != 0 {
            // A watch that was ended here is told of once more; looking anew for that would end the next ones.
            let isOurs = watched.removeValue(forKey: watch) != nil || ancestors.remove(watch) != nil
            return isOurs || watch < 0
        }
        if ancestors.contains(watch), what & TALLY_WATCH_CREATED != 0 { return true }
        let name = unsafe withUnsafePointer(to: &event.pointee.name) { pointer in
            unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        guard let folder = watched[watch], name.hasSuffix(PluginFile.suffix) else { return false }
        let path = Self.path(folder, name)
        if what & TALLY_WATCH_COMPLETE != 0 || what & TALLY_WATCH_CREATED != 0 && Self.isLinked(path) {
            gather(path, .complete(path: path, folder: folder))
        } else if what & TALLY_WATCH_GONE != 0 {
            gather(path, .gone(path: path))
        } else if what & TALLY_WATCH_CHANGED != 0, pending[path] == nil {
            gather(path, .changed(path: path, folder: folder))
        }
        return false
    }

    private func gather(_ path: String, _ change: FolderChange) {
        let now = SystemTime.monotonic()
        pending[path] = Pending(change: change, since: pending[path]?.since ?? now, last: now)
    }

    private func reportQuietFiles() {
        let now = SystemTime.monotonic()
        let quiet = pending.filter { now >= min($0.value.last + Self.quiet, $0.value.since + Self.longest) }
        for (path, pending) in quiet.sorted(by: { $0.key < $1.key }) {
            self.pending[path] = nil
            report(pending.change)
        }
    }

    // MARK: - Folders

    /// Watches every folder that is there, and for each that is not, the nearest one above it that is.
    private func watchAll() {
        for watch in ancestors {
            tally_watch_remove(descriptor, watch)
        }
        ancestors = []
        for folder in folders {
            // What lies below a folder may have come between the two looks.
            for _ in 0..<3 where !watch(folder) {
                if !isDirectory(watchNearest(above: folder)) { break }
            }
        }
    }

    /// Watches a folder; false when it is not there.
    private func watch(_ folder: String) -> Bool {
        let watch = unsafe tally_watch_add(descriptor, folder)
        guard watch >= 0 else { return false }
        watched[watch] = folder
        ancestors.remove(watch)
        look(in: folder)
        return true
    }

    /// Watches the nearest folder above one that is not there.
    ///
    /// - Returns: what would have to come in it.
    private func watchNearest(above folder: String) -> String {
        var missing = folder
        while true {
            let above = Self.parent(of: missing)
            let watch = unsafe tally_watch_add(descriptor, above)
            if watch >= 0 {
                if watched[watch] == nil { ancestors.insert(watch) }
                return missing
            }
            if above == "/" || above == "." { return missing }
            missing = above
        }
    }

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Gathers files that nobody knows of: those that came before the folder was watched, or while changes were lost.
    private func look(in folder: String) {
        for name in PluginFile.names(in: folder) {
            let path = Self.path(folder, name)
            if !known(path), pending[path] == nil {
                gather(path, .complete(path: path, folder: folder))
            }
        }
    }

    /// Whether a name that has just appeared is a link to a file that is complete already.
    private static func isLinked(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFLNK || status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1
    }

    private static func path(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    private static func parent(of path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") {
            path = path.dropLast()
        }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// What has happened in a watched folder.
package enum FolderChange: Sendable, Equatable {
    /// A plugin file is complete: written and closed, renamed into place, or linked.
    case complete(path: String, folder: String)
    /// Owner or mode of a plugin file have changed.
    case changed(path: String, folder: String)
    /// A plugin file is gone.
    case gone(path: String)
}
