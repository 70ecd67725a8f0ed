import Glibc
import PluginLoading
import System
import TallyTesting
import Testing

/// What is no shared library of this machine is found out before the loader touches it.
@Suite struct PluginFileTests {
    private static let sound = PluginFiles.fixture("witness")

    @Test(
        "A file that is no library is refused with what it is",
        arguments: [
            ("empty", [UInt8](), "it is no ELF file"),
            ("text", [UInt8](repeating: 0x20, count: 200), "it is no ELF file"),
            ("short", [0x7F, 0x45, 0x4C, 0x46, 2, 1], "it is no ELF file"),
        ]
    )
    func noLibrary(name: String, bytes: [UInt8], reason: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write(name, bytes: bytes)
        #expect(Fixture.loadError(path) == .notALibrary(path: path, reason: reason))
    }

    @Test(
        "An ELF file of another machine, width, byte order or kind is refused with what it is",
        arguments: [
            (18, UInt8(8), "it is for machine type 8"), (4, 1, "it is not 64-bit little-endian"),
            (5, 2, "it is not 64-bit little-endian"), (16, 2, "it is no shared library"),
        ]
    )
    func otherMachine(offset: Int, value: UInt8, reason: String) throws {
        var bytes = try TestFile.bytes(Self.sound)
        bytes[offset] = value
        let folder = TemporaryFolder()
        let path = folder.write("other.so", bytes: bytes)
        guard case .notALibrary(path, let told) = Fixture.loadError(path) else {
            Issue.record("not refused")
            return
        }
        #expect(told.hasPrefix(reason))
    }

    @Test("A library that is cut off anywhere is refused and does not end the process", arguments: 1..<16)
    func cutOff(sixteenths: Int) throws {
        let bytes = try TestFile.bytes(Self.sound)
        let folder = TemporaryFolder()
        let path = folder.write("cut.so", bytes: Array(bytes[..<(bytes.count * sixteenths / 16)]))
        // The last part of a library holds what only debuggers read: the loader can do without.
        guard let error = Fixture.loadError(path) else {
            #expect(sixteenths > 2)
            return
        }
        #expect(error == .notALibrary(path: path, reason: "it is cut off"))
    }

    @Test("A program is refused by the loader with its reason")
    func program() throws {
        let error = try #require(Fixture.loadError("/proc/self/exe"))
        guard case .cannotLoad = error else {
            #expect(error == .notALibrary(path: "/proc/self/exe", reason: "it is no shared library"))
            return
        }
    }

    @Test("A folder, a pipe and a device are refused without waiting for them")
    func noRegularFile() throws {
        let folder = TemporaryFolder()
        let pipe = folder.file("pipe.so")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        for path in [folder.path, pipe, "/dev/zero"] {
            #expect(Fixture.loadError(path) == .notALibrary(path: path, reason: "it is not a regular file"))
        }
    }

    @Test("A file that cannot be opened is refused with the system's reason")
    func unreadable() throws {
        let folder = TemporaryFolder()
        let loop = folder.file("loop.so")
        try #require(unsafe symlink(loop, loop) == 0)
        let absent = folder.file("absent.so")
        #expect(
            Fixture.loadError(loop) == .unreadable(path: loop, reason: "Too many levels of symbolic links")
        )
        #expect(Fixture.loadError(absent) == .unreadable(path: absent, reason: "No such file or directory"))
    }

    @Test("A file that may not be read is refused with the system's reason")
    func forbidden() throws {
        let folder = TemporaryFolder()
        let path = try folder.copy(Self.sound, as: "forbidden.so")
        try #require(unsafe chmod(path, 0) == 0)
        let notes = Notes<PluginError?>()
        // The superuser may read everything, so this is done as somebody else, which Linux allows to a single thread.
        let thread = Thread(name: "nobody") {
            Self.becomeNobody()
            notes.add(Fixture.loadError(path))
        }
        thread.join()
        #expect(notes.all == [.unreadable(path: path, reason: "Permission denied")])
    }

    private static func becomeNobody() {
        typealias Function = @convention(c) (UInt32) -> Int32
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "setfsuid") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Function.self)(65_534)
    }

    @Test("A plugin whose file has the longest name there is loads")
    func longName() throws {
        let folder = TemporaryFolder()
        let name = String(repeating: "n", count: 252) + ".so"
        let path = try folder.copy(Self.sound, as: name)
        #expect(Fixture.loadError(path) == nil)
    }
}
