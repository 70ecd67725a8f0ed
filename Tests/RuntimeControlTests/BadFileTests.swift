import ChildPrograms
import Glibc
import Tally
import TallyTesting
import Testing

/// Files that cannot be used are refused with the reason, while a run goes on undisturbed.
@Suite struct BadFileTests {
    /// One kind of bad file: how it is made, and what the refusal says.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let says: String
        let make: @Sendable (PluginFolder, String) throws -> Void

        var testDescription: String { name }
    }

    private static func kind(
        _ name: String,
        _ says: String,
        _ make: @escaping @Sendable (PluginFolder, String) throws -> Void
    ) -> Kind {
        Kind(name: name, says: says, make: make)
    }

    private static func fixture(_ fixture: String, _ says: String) -> Kind {
        kind("fixture \(fixture)", says) { folder, file in
            try folder.install(TestFile.bytes(PluginFiles.fixture(fixture)), as: file)
        }
    }

    private static func mode(_ mode: String, _ says: String) -> Kind {
        kind(mode, says) { folder, file in try folder.install(PluginFolder.patched(mode: mode), as: file) }
    }

    private static func changed(
        _ name: String,
        _ says: String,
        _ change: @escaping @Sendable (inout [UInt8]) -> Void
    ) -> Kind {
        kind(name, says) { folder, file in
            var bytes = try PluginFolder.patched(mode: "good")
            change(&bytes)
            try folder.install(bytes, as: file)
        }
    }

    static let kinds: [Kind] = [
        changed("empty", "no ELF file") { $0 = [] },
        changed("text", "no ELF file") { $0 = Array(repeating: 0x61, count: 4_000) },
        changed("half-written", "cut off") { $0.removeLast($0.count / 2) },
        changed("cut off in its last part", "cut off") { $0.removeLast(200) },
        changed("other machine", "for machine type") { $0[18] = 0xF3 },
        changed("32-bit", "not 64-bit") { $0[4] = 1 },
        changed("a program", "no shared library") { $0[16] = 2 },
        fixture("no-entry", "exports no function tally_plugin_entry_v1"),
        fixture("wrong-major", "built for plugin ABI"),
        fixture("bad-id", "not reverse-DNS"),
        fixture("null-descriptor", "is NULL"),
        fixture("requires-unknown", "needs the host extension"),
        fixture("duplicate-id", "is loaded already"),
        mode("crash-load", "crashed with signal 4"),
        mode("crash-entry", "crashed with signal 4"),
        mode("hang-entry", "did not come back within"),
        mode("exit-entry", "ended the process with code 3"),
        kind("world-writable", "can be written by everybody") { folder, file in
            try folder.make("new")
            Files.mode(folder.file("new"), 0o666)
            Files.move(folder.file("new"), folder.file(file))
        },
        kind("link out of the directory", "leads out of the directory") { folder, file in
            Files.link(PluginFiles.fixture("patched"), folder.file(file))
        },
        kind("directory", "not a regular file") { folder, file in
            Files.folder(folder.file("new"))
            Files.move(folder.file("new"), folder.file(file))
        },
        kind("FIFO", "not a regular file") { folder, file in
            Files.fifo(folder.file("new"))
            Files.move(folder.file("new"), folder.file(file))
        },
        kind("2 GB", "larger than") { folder, file in
            try folder.make("new")
            Files.size(folder.file("new"), 2 << 30)
            Files.move(folder.file("new"), folder.file(file))
        },
    ]

    @Test("A bad file is refused with its reason, and playback goes on", arguments: kinds)
    func refused(kind: Kind) async throws {
        let folder = PluginFolder()
        // Short for the one that is to reach it; no other one is so late on a busy machine.
        let limit: Int64 = kind.says.contains("did not come back") ? 700 : 300_000
        let probe = PluginProbe(program: PluginFiles.folder + "/tally-probe", limit: limit)
        let catalog = PluginCatalog(admission: PluginAdmission(probe: probe))
        for name in ["witness", "frozen-v1"] {
            try catalog.add(PluginSource.file(PluginFiles.fixture(name)).library())
        }
        let telemetry = try Telemetry(plugins: [ControlledRun.witness], catalog: catalog)
        let refusals = Lock<[String]>([])
        let watch = PluginWatch(
            telemetry: telemetry,
            directories: [folder.path],
            onDrop: .enable,
            report: { report in
                if case .refused(_, let error) = report {
                    refusals.with { $0.append(error.description) }
                }
            }
        )
        let run = try telemetry.startRun()
        run.trackVideoLoad()
        try kind.make(folder, "libbad.tallyplugin.so")
        #expect(await eventually { refusals.with { !$0.isEmpty } })
        let said = refusals.with { $0.first ?? "" }
        #expect(said.contains(kind.says) && said.contains("libbad.tallyplugin.so"), "\(said)")
        let listed = run.plugins().first { $0.state == .rejected }
        #expect(listed?.reason == said)
        #expect(run.trackPlay() == .queued)
        #expect(run.plugins().first { $0.name == "witness" }?.tracker?.events == 2)
        watch.close()
        run.destroy()
        telemetry.close()
    }

    @Test("What a file was refused for can be mended: the mode alone is enough")
    func mended() async throws {
        let folder = PluginFolder()
        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog())
        let reports = Lock<[String]>([])
        let watch = PluginWatch(
            telemetry: telemetry,
            directories: [folder.path],
            report: { report in
                if case .refused = report { reports.with { $0.append("refused") } }
                if case .loaded = report { reports.with { $0.append("loaded") } }
            }
        )
        let file = try folder.make("libcounter.tallyplugin.so")
        #expect(Files.mode(file, 0o666))
        #expect(await eventually { reports.with { $0 == ["refused"] } })
        #expect(Files.mode(file, 0o644))
        #expect(await eventually { reports.with { $0 == ["refused", "loaded"] } })
        #expect(!telemetry.pluginStatuses().contains { $0.state == .rejected })
        watch.close()
    }

    @Test("A file of somebody else is refused")
    func foreignOwner() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        guard geteuid() == 0 else { return }
        #expect(Files.own(file, 12_345, 12_345))
        let error = #expect(throws: PluginError.self) { try PluginAdmission().load(file) }
        #expect(error?.description.contains("belongs to user 12345") == true)
        #expect(Files.own(file, 0, 0))
        #expect(Files.own(folder.path, 12_345, 0))
        let above = #expect(throws: PluginError.self) { try PluginAdmission().load(file) }
        #expect(above?.description.contains("\(folder.path) belongs to user 12345") == true)
        #expect(Files.own(folder.path, 0, 0))
        _ = try PluginAdmission().load(file)
    }

    @Test("A folder that others can write to is refused, unless it is sticky")
    func folders() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        #expect(Files.mode(folder.path, 0o777))
        let error = #expect(throws: PluginError.self) { try PluginAdmission().load(file) }
        #expect(error?.description.contains("\(folder.path) can be written by everybody") == true)
        #expect(Files.mode(folder.path, 0o1777))
        _ = try PluginAdmission().load(file)
        _ = try PluginAdmission(trust: .everything).load(file)
    }

    @Test("A file that a group can write is used where the group is the user's alone", .enabled(if: geteuid() == 0))
    func groups() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        Files.mode(file, 0o664)
        _ = try PluginAdmission().load(file)
        Files.own(file, 0, 1)
        let error = #expect(throws: PluginError.self) { try PluginAdmission().load(file) }
        #expect(error?.description.contains("can be written by the group 1: chmod g-w") == true)
        Files.mode(file, 0o644)
        _ = try PluginAdmission().load(file)
    }

    @Test("A link that stays in the directory is followed")
    func link() throws {
        let folder = PluginFolder()
        try folder.make("target")
        #expect(Files.link("target", folder.file("libcounter.tallyplugin.so")))
        _ = try PluginAdmission().load(folder.file("libcounter.tallyplugin.so"), within: folder.path)
    }

    @Test("A signal to the host while a file is tried does not refuse it")
    func signalled() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let admission = PluginAdmission(probe: PluginProbe(program: PluginFiles.folder + "/tally-probe"))
        signal(SIGUSR1) { _ in }
        var signalled = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&signalled)
        unsafe sigaddset(&signalled, SIGUSR1)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signalled, &before)
        defer {
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            signal(SIGUSR1, SIG_DFL)
        }
        let isDone = Lock(false)
        let trier = pthread_self()
        let signals = Thread(name: "signals") {
            while !isDone.with({ $0 }) {
                pthread_kill(trier, SIGUSR1)
                usleep(300)
            }
        }
        defer {
            isDone.with { $0 = true }
            signals.join()
        }
        #expect(throws: Never.self) { try admission.load(file) }
    }

    @Test("What was checked is what runs, although the file is another one by then")
    func swapped() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", number: 1)
        let checked = try PluginCandidate(path: file, trust: .owned).sha256
        var admission = PluginAdmission(probe: PluginProbe(program: PluginFiles.folder + "/tally-probe"))
        admission.afterOpening = { path in
            if let bytes = try? PluginFolder.patched(mode: "crash-load") { TestFile.write(bytes, to: path) }
        }
        let library = try admission.load(file)
        #expect(library.plugins.first?.sha256 == checked)
        admission.afterOpening = nil
        #expect(throws: PluginError.self) { try admission.load(file) }
    }
}
