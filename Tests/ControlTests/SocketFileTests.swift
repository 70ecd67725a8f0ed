import ChildPrograms
import Glibc
import HostSupport
import TestFiles
import Testing
import TextEncoding

/// The socket's file: who may use it, and what happens when something is there already.
struct SocketFileTests {
    @Test("The file is its owner's alone from its first moment, whatever the umask is, and goes with the server")
    func mode() throws {
        var path = ""
        do {
            let socket = try ServedSocket()
            path = socket.path
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFSOCK && status.st_mode & 0o777 == 0o600)
        }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test("A file on which nobody listens is taken over, one on which somebody does is not")
    func stale() throws {
        let socket = try ServedSocket()
        let inUse = #expect(throws: ControlSocketFile.Failure.self) {
            try ControlServer(path: socket.path, queue: socket.queue)
        }
        #expect(inUse == .inUse(path: socket.path))
        let client = try socket.connect()
        client.send("{\"command\":[\"stats\"]}\n")
        #expect(try client.line()["error"]?.string == "success")

        // What a program leaves behind that was killed: the file, and nobody behind it.
        let dead = socket.folder.file("dead")
        try leave(dead)
        let second = try ControlServer(path: dead, queue: socket.queue)
        #expect(throws: Never.self) { try RawClient(dead) }
        second.close()
        #expect(unsafe access(dead, F_OK) != 0)
    }

    @Test("What is no socket is left alone, and a path that is too long is refused")
    func others() throws {
        let socket = try ServedSocket()
        let file = socket.folder.write("file", "")
        #expect(throws: ControlSocketFile.Failure.notASocket(path: file)) {
            try ControlServer(path: file, queue: socket.queue)
        }
        #expect(unsafe access(file, F_OK) == 0)
        let long = socket.folder.file(String(repeating: "x", count: 110))
        #expect(throws: ControlSocketFile.Failure.pathTooLong(path: long)) {
            try ControlServer(path: long, queue: socket.queue)
        }
    }

    @Test("The same user and root may give commands, another user may not")
    func users() {
        #expect(PeerCheck.allows(peer: 1000, owner: 1000))
        #expect(PeerCheck.allows(peer: 0, owner: 1000))
        #expect(!PeerCheck.allows(peer: 1001, owner: 1000))
        #expect(!PeerCheck.allows(peer: 1000, owner: 0))
    }

    @Test(
        "Another user is sent away even where the file lets it in",
        .enabled(if: SocketFileTests.canBeAnotherUser)
    )
    func otherUser() async throws {
        let socket = try ServedSocket()
        _ = unsafe chmod(socket.path, 0o666)
        _ = unsafe chmod(socket.folder.path, 0o755)
        let client = [
            "/usr/bin/perl", "-e",
            "use IO::Socket::UNIX; $SIG{PIPE} = q(IGNORE); my $s = IO::Socket::UNIX->new(Peer => q(\(socket.path))) or exit 7;"
                + #" print $s qq({"command":["stats"]}\n); $s->flush; my $l = <$s>; exit(defined($l) ? 0 : 3);"#,
        ]
        #expect(try await ChildProgram.run(client[0], Array(client.dropFirst())).code == 0)
        let other = ["--reuid", "65534", "--regid", "65534", "--clear-groups"] + client
        try #require(try await ChildProgram.run("/usr/bin/setpriv", other).code == 3)
        #expect(socket.wait { $0.refused == 1 })
    }

    private static var canBeAnotherUser: Bool {
        geteuid() == 0 && ["setpriv", "perl"].allSatisfy { unsafe access("/usr/bin/" + $0, X_OK) == 0 }
    }

    private func leave(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in path.utf8.enumerated() { unsafe target[index] = byte }
        }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(descriptor)
    }
}
