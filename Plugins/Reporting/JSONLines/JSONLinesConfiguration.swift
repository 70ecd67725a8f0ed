internal import PluginKit

/// What the reporter is configured with.
struct JSONLinesConfiguration: DeclaredConfiguration {
    /// When the reporter waits until the disk has what it wrote.
    enum SyncPolicy: String, CaseIterable {
        /// Never: the system writes when it likes.
        case never
        /// When a file is finished or closed.
        case finished
        /// After each batch.
        case batch
    }

    /// The file, or `-` for standard output.
    var path = "-"
    var events = false
    var records = true
    var beacons = true
    /// Whether a beacon's body that is JSON is written as JSON.
    var jsonBodies = false
    /// Whether what the file holds is kept when it is opened.
    var keepsContent = false
    /// When a file is finished and the next one begun.
    var rotation = RotationPolicy()
    var sync = SyncPolicy.never

    /// What is written.
    var wants: OutputKinds {
        var wants: OutputKinds = .gaps
        if events { wants.formUnion([.events, .sessions, .runs]) }
        if records { wants.insert(.records) }
        if beacons { wants.insert(.beacons) }
        return wants
    }

    static let keys = [
        Key(
            "path",
            \.path,
            .nonEmptyText("a file's path, or - for standard output").withoutShownDefault
                .checked(["x-emptied-unless": ["append", "rotate_bytes", "rotate_s"], "x-standard-output": true]),
            "File to write; `-`, or no key, for standard output."
        ),
        Key("events", \.events, .flag, "Write player events, sessions and runs."),
        Key("records", \.records, .flag, "Write records."),
        Key("beacons", \.beacons, .flag, "Write beacons."),
        Key(
            "json_bodies",
            \.jsonBodies,
            .flag,
            "Write the body of a beacon as JSON when it is an object or an array; every other body stays a string."
        ),
        Key(
            "append",
            \.keepsContent,
            .flag,
            "Go on behind what the file holds. Without it and without rotation the file is emptied at the start."
        ),
        Key(
            "rotate_bytes",
            \.rotation.bytes,
            .integer(0...1 << 40),
            "Size from which on the file is finished and the next one begun, 0 for any."
        ),
        Key("rotate_s", \.rotation.seconds, .integer(0...31_536_000), "The same for its age, in seconds."),
        Key("compress", \.rotation.compression, compression, "How finished files are compressed."),
        Key(
            "fsync",
            \.sync,
            .word,
            "When to wait until the disk has what was written: never, when a file is finished or closed, or after "
                + "each batch."
        ),
    ]

    private static let compression = ConfigurationForm.choice(of: ["none"] + Compression.allCases.map(\.rawValue))
        .map({ Compression(rawValue: $0) }, back: { $0?.rawValue ?? "none" })

    func validate(at _: String) throws(ConfigurationError) {
        if rotation.isOn, path == "-" {
            throw .unusable(key: "path", value: "\"-\"", expected: "a file's path, as the files are rotated")
        }
        if let compression = rotation.compression, !rotation.isOn {
            throw .unusable(
                key: "compress",
                value: "\"\(compression.rawValue)\"",
                expected: "\"none\", as only finished files are compressed; set \"rotate_bytes\" or \"rotate_s\""
            )
        }
    }
}

/// When a file is finished and another one begun, and what becomes of the finished one.
struct RotationPolicy: Sendable {
    /// Size from which on the file is finished; 0 for any size.
    var bytes: Int64 = 0
    /// Age from which on it is finished, s; 0 for any age.
    var seconds: Int64 = 0
    /// How finished files are compressed; nil when they are not.
    var compression: Compression?

    /// Whether files are finished at all.
    var isOn: Bool { bytes > 0 || seconds > 0 }

    /// Whether a file of this size and age is to be finished; an empty one never is.
    func isDue(size: Int64, age: Int64) -> Bool {
        size > 0 && (bytes > 0 && size >= bytes || seconds > 0 && age >= seconds)
    }
}
