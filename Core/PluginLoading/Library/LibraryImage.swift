internal import CLinux
internal import Glibc
internal import PluginABI
internal import System

/// A plugin library's code in this process: loaded when it is first wanted, and never unmapped.
///
/// Several files with the same bytes have one.
@safe final class LibraryImage: @unchecked Sendable {
    /// A library's entry.
    @safe struct Entry {
        /// The entry, clamped to what this host knows.
        let table: tally_entry
        /// The entry in the plugin's own memory, which its functions get.
        let foreign: UnsafePointer<tally_entry>
    }

    private enum State {
        case waiting(PluginCandidate)
        case loaded(Entry)
        case failed(PluginError)
    }

    private let state: Lock<State>
    /// The sealed copy of its file; nil for a library that is linked in.
    let descriptor: Int32?

    /// The copy of a file that was opened and checked.
    init(_ candidate: PluginCandidate) {
        state = Lock(.waiting(candidate))
        descriptor = candidate.descriptor
    }

    /// A library that is linked in.
    init(_ entry: Entry) {
        state = Lock(.loaded(entry))
        descriptor = nil
    }

    /// The entry, for which the library is loaded the first time.
    ///
    /// A process that dies meanwhile names the file.
    func entry() throws(PluginError) -> Entry {
        try state.with { state throws(PluginError) in
            switch state {
            case .loaded(let entry): return entry
            case .failed(let error): throw error
            case .waiting(let candidate):
                do throws(PluginError) {
                    let identity = PluginIdentity(loading: candidate.path, digest: candidate.digest)
                    let entry = try identity.call(.load, { Self.load(candidate) }).get()
                    state = .loaded(entry)
                    return entry
                } catch {
                    state = .failed(error)
                    throw error
                }
            }
        }
    }

    private static func load(_ candidate: PluginCandidate) -> Result<Entry, PluginError> {
        let path = candidate.path
        let descriptor = candidate.descriptor
        // The descriptor stays open for ever: the dynamic loader knows the image by this name.
        guard let handle = unsafe tally_load_library("/proc/self/fd/\(descriptor)") else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
            close(descriptor)
            let text = reason.replacingPrefix("/proc/self/fd/\(descriptor): ", with: "")
            return .failure(.cannotLoad(path: path, reason: text))
        }
        guard let symbol = unsafe dlsym(handle, "tally_plugin_entry_v1") else {
            for major in 2...9 where unsafe dlsym(handle, "tally_plugin_entry_v\(major)") != nil {
                return .failure(.wrongMajor(path: path, found: major))
            }
            return .failure(.noEntry(path: path))
        }
        let function = unsafe unsafeBitCast(symbol, to: LoadedLibrary.EntryFunction.self)
        return unsafe read(function(), path)
    }

    /// Checks an entry.
    static func read(_ entry: UnsafePointer<tally_entry>?, _ path: String) -> Result<Entry, PluginError> {
        guard let entry = unsafe entry else {
            return .failure(.invalid(path: path, reason: "the entry function returned NULL"))
        }
        return unsafe FunctionTables.entry.copy(entry, of: path).flatMap { copy in
            guard unsafe copy.count > 0 else {
                return .failure(.invalid(path: path, reason: "the library holds no plugin"))
            }
            return unsafe .success(Entry(table: copy, foreign: entry))
        }
    }
}
