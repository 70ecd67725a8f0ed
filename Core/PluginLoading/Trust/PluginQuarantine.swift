internal import CLinux
internal import Glibc
internal import Synchronization
internal import System
internal import TextEncoding

/// The plugin files in which a process died: they are not loaded again until they are released.
///
/// A folder holds two files: `crashes`, to which a dying process appends the plugin that it was in, and
/// `quarantine.json`, into which the next one takes that over. Thread-safe.
public final class PluginQuarantine: Sendable {
    /// A file that is not loaded.
    public struct Entry: Sendable, Equatable {
        /// SHA-256 of the file, lower-case hex.
        public let sha256: String
        /// The first plugin in it.
        public let plugin: String
        /// Why, one sentence.
        public let reason: String
    }

    private let folder: String
    private let list: Lock<[Entry]>

    /// Reads a folder, which is made when it is not there, and takes over what processes before wrote as they died.
    ///
    /// From then on this process does the same: only the first quarantine of a process listens for its death.
    ///
    /// - Throws: ``Failure`` when the folder cannot be used.
    public init(folder: String) throws(Failure) {
        self.folder = folder
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw Failure("\(folder): cannot make the folder for the quarantine: \(SystemError.text(errno))")
        }
        var entries: [Entry] = []
        if let bytes = try? WholeFile.read(folder + "/quarantine.json", limit: 1 << 20) {
            guard let array = (try? JSONParser().parse(bytes))?.array else {
                throw Failure("\(folder)/quarantine.json is no JSON: mend or remove it")
            }
            entries = array.compactMap(Entry.init(json:))
        }
        list = Lock(entries)
        try adoptCrashes()
        guard unsafe tally_watch_crashes(folder + "/crashes") == 0 else {
            throw Failure("\(folder)/crashes cannot be written: \(SystemError.text(errno))")
        }
        CrashLine.isWatched.store(true, ordering: .relaxed)
    }

    /// Why a quarantine cannot be used.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// What happened, where, and what to do.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// The files that are not loaded, the oldest first.
    public var entries: [Entry] { list.with { $0 } }

    /// Releases a file by its hash, or by the hash's first 8 digits or more.
    ///
    /// - Returns: what was released, nil when nothing, or more than one, has this hash.
    public func release(sha256: String) throws(Failure) -> Entry? {
        let found = list.with { list in
            list.filter { $0.sha256 == sha256 || sha256.utf8.count >= 8 && $0.sha256.hasPrefix(sha256) }
        }
        guard let entry = found.first, found.count == 1 else { return nil }
        let rest = list.with { list in
            list.removeAll { $0 == entry }
            return list
        }
        try write(rest)
        return entry
    }

    /// The entry that keeps a file from being loaded, nil when none does.
    func entry(of candidate: PluginCandidate) -> Entry? {
        // Hashing takes time, and mostly there is nothing to compare with.
        let entries = entries
        guard !entries.isEmpty else { return nil }
        let sha256 = candidate.sha256
        return entries.first { $0.sha256 == sha256 }
    }

    /// Keeps a plugin's file from being loaded again, for a reason other than a crash.
    package func add(_ plugin: PluginDescription, reason: String) {
        let entries = list.with { list -> [Entry]? in
            guard !plugin.sha256.isEmpty, !list.contains(where: { $0.sha256 == plugin.sha256 }) else { return nil }
            list.append(Entry(sha256: plugin.sha256, plugin: plugin.id, reason: reason))
            return list
        }
        // What cannot be written is not known to the next process, which sees for itself.
        if let entries { try? write(entries) }
    }

    // MARK: - Files

    private func adoptCrashes() throws(Failure) {
        let path = folder + "/crashes"
        guard let bytes = try? WholeFile.read(path, limit: 1 << 20), !bytes.isEmpty else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        var entries = entries
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 3, words[0].utf8.count == 64 else { continue }
            let sha256 = String(words[0])
            guard !entries.contains(where: { $0.sha256 == sha256 }) else { continue }
            let signal = words[2]
            let how = signal == "0" ? "ended the process" : "crashed with signal \(signal)"
            entries.append(Entry(sha256: sha256, plugin: String(words[1]), reason: "a call into it \(how)"))
        }
        list.with { $0 = entries }
        try write(entries)
        unsafe unlink(path)
    }

    private func write(_ entries: [Entry]) throws(Failure) {
        let path = folder + "/quarantine.json"
        do throws(SystemFailure) {
            try WholeFile.replace(path, with: JSONValue.array(entries.map(\.json)).canonicalText + "\n")
        } catch {
            throw Failure("\(path) cannot be written: \(error)")
        }
    }
}

extension PluginQuarantine.Entry {
    fileprivate init?(json: JSONValue) {
        guard let sha256 = json["sha256"]?.string, sha256.utf8.count == 64 else { return nil }
        self.init(sha256: sha256, plugin: json["plugin"]?.string ?? "", reason: json["reason"]?.string ?? "")
    }

    fileprivate var json: JSONValue {
        .object(["sha256": .string(sha256), "plugin": .string(plugin), "reason": .string(reason)])
    }
}
