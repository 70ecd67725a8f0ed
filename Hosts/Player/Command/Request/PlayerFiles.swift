internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// The files of a run: what is written must be none of those that are read, and each output a file of its own.
struct PlayerFiles {
    private var read = ReadFiles()

    /// Collects what is read; `configuration` is the path of its file, if there is one.
    init(_ request: PlayerRequest, script: PlaybackScript?, certificates: String?, configuration: String?) {
        for source in request.sources { add(source, as: "the media that is played") }
        if let script {
            read.add(script.path, as: "the script")
            for line in script.lines {
                if case .playback(.load(let source)) = line.command { add(source, as: "media that the script plays") }
            }
        }
        if let path = request.chaptersPath { read.add(path, as: "the file of chapters") }
        if let ads = request.adsLocation, !AdLocation.isWeb(ads) { add(ads, as: "the document of ads") }
        if let certificates { read.add(certificates, as: "the file of certificates") }
        if let configuration { read.add(configuration, as: "the configuration file") }
    }

    /// An address of the web is no file.
    private mutating func add(_ location: String, as what: String) {
        if let path = MediaLocation.filePath(location) { read.add(path, as: what) }
    }

    /// Checks all that is to be written, before any of it is; `plugins` are those that write files.
    func check(archives: [String], junit: String?, store: String?, plugins: [PluginSelection]) throws(HostError) {
        var read = read
        if let store {
            try read.check(store)
            read.add(store, as: "the file of persistent values")
        }
        for archive in archives {
            if let store, Self.isOne(archive, store) {
                throw .isRead(path: archive, what: "the file of persistent values")
            }
            try read.check(archive)
            try ArchivePlace.check(archive)
        }
        try read.check(plugins)
        guard let junit else { return }
        if let store, Self.isOne(junit, store) { throw .isRead(path: junit, what: "the file of persistent values") }
        try read.check(junit)
        var written = ReadFiles()
        for archive in archives {
            written.add(archive, as: "the archive too")
            if Self.isOne(archive, junit) { throw .isRead(path: junit, what: "the archive too") }
        }
        try written.check(junit)
    }

    /// Whether two paths name one file that is not there yet; `/dev/null` may be all outputs at once.
    private static func isOne(_ one: String, _ other: String) -> Bool {
        !one.hasPrefix("/dev/") && PathName.resolvedFolder(one) == PathName.resolvedFolder(other)
    }
}
