internal import ChildPrograms
internal import Database
internal import Glibc
internal import Tally
internal import TallyTesting
internal import TestFiles

/// A replay that delivers one beacon for each session of an archive through a reporter with a spool, and its files.
struct DeliveringReplay {
    /// Endings of a database's files.
    private static let spoolFiles = ["", "-wal", "-shm", "-journal"]

    /// What the reporter `http` is configured with unless something else is said.
    private static let http = [
        "idempotency_header": "\"X-Beacon\"", "retry.first_ms": "5", "retry.longest_ms": "50", "commit_ms": "20",
        "timeout_ms": "2000", "drain_ms": "600000",
    ]

    private let binaries: String
    private let base: String
    private let reporter: String
    /// How many beacons there are; their numbers begin at 1.
    let beacons: Int
    /// More of the reporter's configuration: keys with their values as JSON.
    var settings: [String: String] = [:]
    /// What it has unless they say something else.
    private let defaults: [String: String]

    /// Makes the archive; files begin with `base`.
    init(binaries: String, base: String, beacons: Int, reporter: String = "http") throws {
        self.binaries = binaries
        self.base = base
        self.beacons = beacons
        self.reporter = reporter
        defaults = reporter == "http" ? Self.http : [:]
        let run = try VirtualRun(
            plugins: [PluginSelection("org.tally.example.swift", name: "swift")],
            sources: [.file("\(binaries)/libexample-swift.tallyplugin.so")]
        ).record { player, run, clock in
            for _ in 0..<beacons {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(.unload, on: run)
                run.pump()
            }
        }
        guard unsafe rename(run.archive, archive) == 0 else {
            throw RoundFailure("cannot move the archive to \(archive)")
        }
    }

    /// The archive.
    var archive: String { "\(base).tally" }
    /// The reporter's spool.
    var spool: String { "\(base).spool" }
    /// What the replay says.
    var log: String { "\(base).log" }
    /// What the system calls that were made to fail are written to.
    var faultLog: String { "\(base).faults" }

    /// The seconds by which the wall clock of programs was set.
    private var clock: String { "\(base).clock" }

    /// Sets the wall clock of programs that are started with ``clockEnvironment``, by so many seconds in all.
    func setClock(by seconds: Int) throws {
        let files = RoundFiles(folder: "")
        try files.write(clock + ".new", Array("\(seconds)".utf8))
        guard unsafe rename(clock + ".new", clock) == 0 else { throw RoundFailure("cannot write \(clock)") }
    }

    /// Lets the wall clock of a program be set.
    var clockEnvironment: [String: String] { SystemFaults.environment(in: binaries, file: spool, ["WALL": clock]) }

    /// Starts it, with more options.
    func start(
        to url: String,
        _ options: [String] = [],
        environment: [String: String] = [:]
    ) throws -> ChildProgram {
        let chosen = ["spool": "\"\(spool)\""].merging(defaults) { $1 }.merging(settings) { _, own in own }
        let configuration = chosen.sorted { $0.key < $1.key }.flatMap {
            ["--set", "plugins.\(reporter).config.\($0.key)=\($0.value)"]
        }
        return try ChildProgram(
            "\(binaries)/tally-replay",
            [
                archive, "--quiet", "--plugin-dir", binaries, "--plugins", "example-swift,\(reporter)",
                "--set", "plugins.example-swift.config.url=\"\(url)\"",
            ] + configuration + options,
            output: log,
            joined: true,
            environment: environment
        )
    }

    /// The numbers of the beacons that are in the spool while no replay goes on; none when there is no spool yet.
    func waiting() -> Set<Int> { numbers(in: "beacons") }

    /// The numbers of the beacons that were given up.
    func givenUp() -> Set<Int> { numbers(in: "dead") }

    /// A copy is read, so that the next replay finds the file and the log beside it as the last one left them.
    private func numbers(in table: String) -> Set<Int> { Set(rows("SELECT ordinal FROM \(table)") { Int($0.int(0)) }) }

    /// The ids of what is in the spool while no replay goes on, each `run/instance/number`.
    func waitingIDs() -> Set<String> {
        Set(rows("SELECT run, instance, ordinal FROM beacons") { "\($0.text(0))/\($0.text(1))/\($0.int(2))" })
    }

    private func rows<Row>(_ query: String, _ read: (Statement) -> Row) -> [Row] {
        let files = RoundFiles(folder: "")
        let copy = base + ".copy"
        defer {
            for ending in Self.spoolFiles {
                unsafe unlink(copy + ending)
            }
        }
        for ending in ["", "-wal"] {
            files.copy(spool + ending, to: copy + ending)
        }
        // A program that was killed before it had made its tables has taken nothing.
        return (try? Database(path: copy).prepare(query).rows([], read)) ?? []
    }

    /// What is wrong with the spool's counts while no replay goes on; nil when they say that all was delivered once, but
    /// for so many that the server refused.
    func miscount(refused: Int = 0) throws -> String? {
        func sum(_ name: String) -> String { "(SELECT coalesce(sum(count), 0) FROM counts WHERE name = '\(name)')" }
        let counts = try Database(path: spool).prepare(
            "SELECT \(sum("taken")), \(sum("delivered")), \(sum("refused")), (SELECT count(*) FROM dead), "
                + "(SELECT count(*) FROM beacons), (SELECT count(*) FROM unaccounted)"
        )
        guard try counts.step() else { return "the spool has no counts" }
        let found = (0..<6).map { Int(counts.int($0)) }
        guard found != [beacons, beacons - refused, refused, refused, 0, 0] else { return nil }
        return "taken, delivered, refused, dead, waiting and unaccounted are \(found)"
    }

    /// What it said.
    var said: String { RoundFiles(folder: "").read(log) }

    /// Removes the spool, so that the next replay finds none.
    func removeSpool() {
        for ending in Self.spoolFiles {
            unsafe unlink(spool + ending)
        }
    }

    /// Removes all files.
    func remove() {
        for ending in [".tally", ".log", ".faults", ".clock"] + Self.spoolFiles.map({ ".spool" + $0 }) {
            unsafe unlink(base + ending)
        }
        let folder = String(base[..<(base.lastIndex(of: "/") ?? base.startIndex)])
        for name in TemporaryFolder.names(in: folder).map({ "\(folder)/\($0)" })
        where name.hasPrefix("\(spool).damaged-") {
            unsafe unlink(name)
        }
    }
}
