internal import PluginKit

/// The reporter's configuration.
struct JSONLinesSettings {
    /// The file, or `-` for standard output.
    var path = "-"
    /// Whether what the file holds is kept when it is opened.
    var keepsContent = false
    /// When a file is finished and the next one begun.
    var rotation = RotationPolicy.never
    /// When the disk is waited for.
    var sync = SyncPolicy.never
    /// What is written.
    var wants: OutputKinds = .gaps

    /// What holds before anything is configured.
    init() {}

    /// Reads the keys; throws for the first that cannot be used.
    init(_ configuration: JSONValue) throws(ConfigurationError) {
        path = try configuration.text("path", default: "-")
        guard !path.isEmpty else {
            throw .unusable(key: "path", value: "\"\"", expected: "a file's path, or - for standard output")
        }
        rotation = try RotationPolicy(configuration, path: path)
        keepsContent = try configuration.flag("append", default: false)
        let name = try configuration.choice("fsync", of: SyncPolicy.allCases.map(\.rawValue), default: "never")
        sync = SyncPolicy(rawValue: name) ?? .never
        if try configuration.flag("events", default: false) { wants.formUnion([.events, .sessions, .runs]) }
        if try configuration.flag("records", default: true) { wants.insert(.records) }
        if try configuration.flag("beacons", default: true) { wants.insert(.beacons) }
    }
}
