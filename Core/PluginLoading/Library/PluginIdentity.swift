internal import CLinux
internal import Synchronization

/// A call into a plugin, with the number that the journal of calls has for it.
package enum PluginCall: UInt32, Sendable, CaseIterable {
    /// Loading the file: constructors, the entry and the descriptors.
    case load = 1
    /// The entry's `create`.
    case create
    /// `init`.
    case initialize
    /// `enable`.
    case enable
    /// `disable`.
    case disable
    /// `destroy`.
    case destroy
    /// `get_extension`.
    case getExtension
    /// `configure` of `tally.configure/1`.
    case configure
    /// `run` and `list` of `tally.command/1`.
    case command
    /// A tracker's `session_begin`.
    case sessionBegin
    /// A tracker's `on_event`.
    case onEvent
    /// A tracker's `on_timer`.
    case onTimer
    /// A tracker's `session_end`.
    case sessionEnd
    /// A reporter's `take`.
    case take
    /// A reporter's `flush`.
    case flush

    /// What the plugin ABI calls it, and messages too.
    package var name: String { unsafe String(cString: tally_call_name(rawValue)) }
}

/// Who is named when a process dies in a call: an instance of a plugin, or a file that is being loaded.
package struct PluginIdentity: Sendable, Equatable {
    /// Whether this process writes down in which file it dies.
    static let isKept = Atomic<Bool>(false)

    /// The number that the journal has for it; 0 names nobody.
    private let number: UInt32

    /// An instance of a plugin.
    init(_ plugin: PluginDescription, instance: String) {
        self.init(
            // A hash takes a while, and without a journal nobody reads it.
            sha256: Self.isKept.load(ordering: .relaxed) ? plugin.sha256 : "",
            kind: plugin.kind.rawValue,
            plugin: plugin.id,
            instance: instance,
            file: plugin.path
        )
    }

    /// A file whose plugins are not known yet.
    init(loading path: String, digest: FileDigest) {
        let sha256 = Self.isKept.load(ordering: .relaxed) ? digest.text : ""
        self.init(sha256: sha256, kind: "", plugin: "?", instance: PluginFile.shortName(of: path), file: path)
    }

    private init(sha256: String, kind: String, plugin: String, instance: String, file: String) {
        var identity = tally_plugin_identity()
        Self.copy(sha256, &identity.sha256)
        Self.copy(kind, &identity.kind)
        Self.copy(plugin, &identity.plugin)
        Self.copy(instance, &identity.instance)
        Self.copy(file, &identity.file)
        number = unsafe tally_identify_plugin(&identity)
    }

    private static func copy<Field>(_ text: String, _ field: inout Field) {
        let size = MemoryLayout<Field>.size
        unsafe withUnsafeMutableBytes(of: &field) { field in
            guard let start = field.baseAddress else { return }
            unsafe tally_copy_text(start.assumingMemoryBound(to: CChar.self), size, text)
        }
    }

    /// What a thread notes while it is in a call.
    @inline(__always)
    package func opening(_ call: PluginCall) -> UInt32 { tally_plugin_call(number, call.rawValue) }

    /// Calls into the plugin; a process that dies in there names it, and the call.
    @inline(__always)
    package func call<Result>(_ call: PluginCall, _ body: () -> Result) -> Result {
        let before = tally_enter_plugin(opening(call))
        defer { tally_leave_plugin(before) }
        return body()
    }
}

/// A tracker as an archive names it: in the header, or where it joins or takes another's place.
package struct RecordedPlugin: Sendable, Equatable {
    /// Its configured name.
    package let instance: String
    /// Id of its plugin.
    package let id: String
    /// Version of its plugin.
    package let version: String
    /// SHA-256 of its file, lower-case hex; empty for one that was linked in.
    package let sha256: String

    package init(instance: String, id: String, version: String, sha256: String) {
        self.instance = instance
        self.id = id
        self.version = version
        self.sha256 = sha256
    }
}
