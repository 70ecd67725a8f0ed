internal import Glibc
public import Tally

/// A player run that was made in a test: what it put out live, and its archive.
public final class RecordedRun {
    /// What the reporters were given.
    public let live: OutputTranscript
    /// The archive's file; removed with this object.
    public let archive: String
    /// What destroy reported.
    public let report: DestroyReport

    package init(live: OutputTranscript, archive: String, report: DestroyReport) {
        self.live = live
        self.archive = archive
        self.report = report
    }

    deinit {
        unsafe unlink(archive)
    }

    /// Replays the archive through the same plugins.
    public func replay(
        through plugins: [PluginSelection],
        from sources: [PluginSource],
        asRecorded: Bool = true
    ) throws -> OutputTranscript {
        try Self.replay(archive, through: plugins, from: sources, asRecorded: asRecorded)
    }

    /// Replays an archive and gives what was put out.
    public static func replay(
        _ archive: String,
        through plugins: [PluginSelection],
        from sources: [PluginSource],
        asRecorded: Bool = true
    ) throws -> OutputTranscript {
        let memory = MemoryReporter()
        var options = Telemetry.Options()
        options.mode = .replay
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: catalog(sources),
            options: options,
            extraConsumers: [memory]
        )
        var replaying = ReplayOptions()
        replaying.asRecorded = asRecorded
        let replay = Replay(telemetry: telemetry, options: replaying)
        try replay.replay(path: archive)
        telemetry.close()
        return memory.contents
    }

    /// A catalog with the plugins of some sources.
    package static func catalog(_ sources: [PluginSource]) throws -> PluginCatalog {
        let catalog = PluginCatalog()
        for source in sources {
            try catalog.add(source.library())
        }
        return catalog
    }

    /// A new file name for an archive.
    package static func temporaryArchive() -> String {
        var random = SystemRandomNumberGenerator()
        return "/tmp/tally-test-\(getpid())-\(random.next()).tally"
    }
}
