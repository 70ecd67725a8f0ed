internal import CLinux
internal import Glibc
internal import Synchronization
internal import System
internal import TextEncoding

/// The plugin files in which a process died: they are not loaded again until they are released.
///
/// A folder holds `crashes`, to which a dying process appends the plugin and the call that it was in, a file that ends
/// in `.calls` for each process that lives, with the calls that are open in it, and `quarantine.json`, into which the
/// next one takes over what those say that died. Thread-safe.
public final class PluginQuarantine: Sendable {
    /// A file that is not loaded.
    public struct Entry: Sendable, Equatable {
        /// SHA-256 of the file, lower-case hex.
        public let sha256: String
        /// The first plugin in it.
        public let plugin: String
        /// Why, one sentence.
        public let reason: String

        /// The file by its plugin and the first digits of its hash.
        public var name: String { "\(plugin) (SHA-256 \(sha256.prefix(12)))" }
    }

    /// What is known of files in which processes ended.
    fileprivate struct Known: Equatable {
        var entries: [Entry] = []
        /// Files in which a process ended once, and nobody knows whether by itself.
        var suspects: [Entry] = []
    }

    /// The program that is named where its command releases a file; nil where there is none.
    let program: String?
    private let folder: String
    private let known: Lock<Known>

    /// Reads a folder, which is made when it is not there, and takes over what processes before wrote as they died.
    ///
    /// From then on this process does the same: only the first quarantine of a process listens for its death.
    ///
    /// - Parameters:
    ///   - folder: the folder's path.
    ///   - program: the program whose command `plugin release` people are referred to; nil names only the hash.
    /// - Throws: ``Failure`` when the folder cannot be used.
    public init(folder: String, program: String? = nil) throws(Failure) {
        self.folder = folder
        self.program = program
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw Failure("\(folder): cannot make the folder for the quarantine: \(SystemError.text(errno))")
        }
        known = Lock(Known())
        try change { known in
            Self.adoptCrashes(in: folder, &known)
            Self.adoptCalls(in: folder, &known)
        }
        // Only now: what could not be taken over is there for the next one. Others that live write to the same file.
        unsafe truncate(folder + "/crashes", 0)
        guard unsafe tally_keep_calls(folder, known.with { $0.suspects.isEmpty } ? 0 : 1) == 0 else {
            throw Failure("\(folder)/crashes cannot be written: \(SystemError.text(errno))")
        }
        PluginIdentity.isKept.store(true, ordering: .relaxed)
    }

    /// Has a process that dies in a plugin name it in its last line on standard error, without a quarantine too.
    ///
    /// For programs: Swift's backtrace follows only where the variable `SWIFT_BACKTRACE` is set.
    package static func watchCrashes() {
        tally_watch_crashes()
        tally_end_plainly()
    }

    /// Why a quarantine cannot be used.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// What happened, where, and what to do.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// The files that are not loaded, the oldest first.
    public var entries: [Entry] { known.with { $0.entries } }

    /// The files whose hash is this, or begins with these digits; none for fewer than ``fewestDigits``.
    public func entries(withHash sha256: String) -> [Entry] {
        guard sha256.utf8.count >= Self.fewestDigits else { return [] }
        return entries.filter { $0.sha256.hasPrefix(sha256.lowercased()) }
    }

    /// How many digits of a hash say which one is meant.
    public static let fewestDigits = 8

    /// Releases a file: the next one that has its bytes is loaded.
    public func release(_ entry: Entry) throws(Failure) {
        try change { $0.entries.removeAll { $0.sha256 == entry.sha256 } }
    }

    /// What has a file loaded again: `say "tally-player plugin release 0123456789ab" to have it loaded again`.
    package func wordsToRelease(_ entry: Entry) -> String {
        let digits = entry.sha256.prefix(12)
        guard let program else { return "release it by its hash \(digits) to have it loaded again" }
        return "say \"\(program) plugin release \(digits)\" to have it loaded again"
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
        guard !plugin.sha256.isEmpty else { return }
        let entry = Entry(sha256: plugin.sha256, plugin: plugin.id, reason: reason)
        known.with { $0.add(entry) }
        // What cannot be written is not known to the next process, which sees for itself.
        try? change { $0.add(entry) }
    }

    // MARK: - Files

    /// Takes over what dying processes wrote.
    private static func adoptCrashes(in folder: String, _ known: inout Known) {
        guard let bytes = try? WholeFile.read(folder + "/crashes", limit: 1 << 20) else { return }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 3, words[0].utf8.count == 64, let signal = Int32(words[2]) else { continue }
            let call = words.count > 3 ? String(words[3]) : "a call into it"
            let how = signal == 0 ? "ended the process" : "crashed with signal \(signal)\(name(of: signal))"
            known.add(Entry(sha256: String(words[0]), plugin: String(words[1]), reason: "\(call) \(how)"))
        }
    }

    private static func name(of signal: Int32) -> String {
        unsafe tally_signal_name(signal).map { unsafe " (\(String(cString: $0)))" } ?? ""
    }

    /// Takes over which calls were open where a process ended without a word.
    ///
    /// Somebody may have killed it, so a file counts only from the second time in a row on, and a reporter's never: it
    /// may wait for a server in a call nearly all the time.
    private static func adoptCalls(in folder: String, _ known: inout Known) {
        for name in FileNames.names(in: folder, endingWith: ".calls") ?? [] {
            var left = [tally_left_call](repeating: tally_left_call(), count: Int(tally_most_left_calls))
            var ended: Int32 = 0
            let count = unsafe tally_read_left_calls(folder + "/" + name, &left, &ended)
            guard count > 0 else { continue }
            let calls = left.prefix(Int(count)).map(LeftCall.init)
            let open = calls.filter { $0.call != 0 && ended == 0 && $0.kind != PluginKind.reporter.rawValue }
            for call in open where !call.sha256.isEmpty {
                let name = unsafe String(cString: tally_call_name(call.call))
                let reason = "a process ended in \(name) twice in a row, without a word"
                let entry = Entry(sha256: call.sha256, plugin: call.plugin, reason: reason)
                if known.suspects.contains(where: { $0.sha256 == call.sha256 }) {
                    known.add(entry)
                } else {
                    known.suspects.append(entry)
                }
            }
            known.suspects.removeAll { suspect in
                calls.contains { $0.sha256 == suspect.sha256 } && !open.contains { $0.sha256 == suspect.sha256 }
            }
        }
    }

    /// An identity that a process left, with the call that was open.
    private struct LeftCall {
        let sha256: String
        let kind: String
        let plugin: String
        let call: UInt32

        init(_ left: tally_left_call) {
            sha256 = Self.text(left.identity.sha256)
            kind = Self.text(left.identity.kind)
            plugin = Self.text(left.identity.plugin)
            call = left.call
        }

        private static func text<Field>(_ field: Field) -> String {
            unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }

    /// Changes what is known, also what others that live have written meanwhile; they wait for it.
    private func change(_ body: (inout Known) -> Void) throws(Failure) {
        let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
        let before = try read()
        var after = before
        body(&after)
        known.with { [after] in $0 = after }
        if after != before { try write(after) }
    }

    private func read() throws(Failure) -> Known {
        var known = Known()
        guard let bytes = try? WholeFile.read(folder + "/quarantine.json", limit: 1 << 20) else { return known }
        guard let array = (try? JSONParser().parse(bytes))?.array else {
            throw Failure("\(folder)/quarantine.json is no JSON: mend or remove it")
        }
        known.entries = array.filter { $0["suspected"] == nil }.compactMap(Entry.init(json:))
        known.suspects = array.filter { $0["suspected"] != nil }.compactMap(Entry.init(json:))
        return known
    }

    private func write(_ known: Known) throws(Failure) {
        let path = folder + "/quarantine.json"
        let suspects = known.suspects.map { entry -> JSONValue in
            var object = entry.json.object ?? [:]
            object["suspected"] = true
            return .object(object)
        }
        do throws(SystemFailure) {
            let list = JSONValue.array(known.entries.map(\.json) + suspects)
            try WholeFile.replace(path, with: list.canonicalText + "\n")
        } catch {
            throw Failure("\(path) cannot be written: \(error)")
        }
    }
}

extension PluginQuarantine.Known {
    /// Keeps a file out.
    fileprivate mutating func add(_ entry: PluginQuarantine.Entry) {
        suspects.removeAll { $0.sha256 == entry.sha256 }
        if !entries.contains(where: { $0.sha256 == entry.sha256 }) { entries.append(entry) }
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

extension PluginQuarantine {
    /// Why a file is not loaded that is in here.
    package func error(on path: String, _ entry: Entry) -> PluginError {
        let release = "Replace it, or \(wordsToRelease(entry))."
        return .quarantined(path: path, sha256: entry.sha256, reason: entry.reason, release: release)
    }
}
