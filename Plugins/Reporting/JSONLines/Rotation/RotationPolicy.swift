internal import PluginKit

/// When a file is finished and another one begun, and what becomes of the finished one.
struct RotationPolicy {
    /// Size from which on the file is finished; 0 for any size.
    let bytes: Int64
    /// Age from which on it is finished, s; 0 for any age.
    let seconds: Int64
    /// How finished files are compressed; nil when they are not.
    let compression: Compression?

    /// Whether files are finished at all.
    var isOn: Bool { bytes > 0 || seconds > 0 }

    /// No rotation.
    static let never = RotationPolicy(bytes: 0, seconds: 0, compression: nil)

    private init(bytes: Int64, seconds: Int64, compression: Compression?) {
        self.bytes = bytes
        self.seconds = seconds
        self.compression = compression
    }

    /// Reads the keys of the reporter's configuration.
    init(_ configuration: JSONValue, path: String) throws(ConfigurationError) {
        bytes = try configuration.integer("rotate_bytes", in: 0...(1 << 40), default: 0)
        seconds = try configuration.integer("rotate_s", in: 0...31_536_000, default: 0)
        let name = try configuration.choice("compress", of: ["none", "gzip", "zstd"], default: "none")
        compression = Compression(rawValue: name)
        if isOn, path == "-" {
            throw .unusable(key: "path", value: "\"-\"", expected: "a file's path, as the files are rotated")
        }
        if compression != nil, !isOn {
            throw .unusable(
                key: "compress",
                value: "\"\(name)\"",
                expected: "\"none\", as only finished files are compressed; set \"rotate_bytes\" or \"rotate_s\""
            )
        }
    }

    /// Whether a file of this size and age is to be finished; an empty one never is.
    func isDue(size: Int64, age: Int64) -> Bool {
        size > 0 && (bytes > 0 && size >= bytes || seconds > 0 && age >= seconds)
    }
}

/// When the reporter waits until the disk has what it wrote.
enum SyncPolicy: String, CaseIterable {
    /// Never: the system writes when it likes.
    case never
    /// When a file is finished or closed.
    case finished
    /// After each batch.
    case batch
}
