internal import Archive
internal import EventModel

/// Which plugin files went on in recorded runs where other files stood.
///
/// Such a file had been told what the run was told so far, and had said the same: it can speak for the one before it,
/// which it mostly has taken the place of on the disk too.
struct SuccessorFiles {
    /// By the hash of the file that stood there, or before that one.
    private var successors: [String: Set<String>] = [:]

    /// Reads an archive; of one that cannot be read it knows nothing.
    init(archive path: String) {
        guard let source = try? ArchiveSource(path: path) else { return }
        let reader = ArchiveReader(source)
        // The files of each instance since it was made or joined anew.
        var files: [String: [String]] = [:]
        while let line = try? reader.next(damaged: { _ in }) {
            switch line {
            case .header(let header):
                files = [:]
                for tracker in header.trackers { files[tracker.name] = [tracker.sha256] }
            case .event(let event) where event.type == .pluginLoaded || event.type == .pluginReplaced:
                guard let instance = Self.text(event, .plugin), let file = Self.text(event, .pluginSha256) else {
                    continue
                }
                let goesOn = event.type == .pluginReplaced && Self.text(event, .pluginReplacement) == "replayed"
                let before = goesOn ? files[instance] ?? [] : []
                for other in before { successors[other, default: []].insert(file) }
                files[instance] = before + [file]
            default: break
            }
        }
    }

    /// Whether a file went on where another had stood.
    func has(_ file: String, after other: String) -> Bool {
        successors[other]?.contains(file) ?? false
    }

    private static func text(_ event: EventView, _ key: AttributeKey) -> String? {
        event.attributes[key]?.string?.string
    }
}
