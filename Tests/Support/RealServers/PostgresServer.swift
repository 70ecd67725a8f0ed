internal import ChildPrograms
internal import Glibc
internal import System

/// A PostgreSQL server of its own, on a socket in a folder of its own and on a port of 127.0.0.1; ended with this object.
package final class PostgresServer: Sendable {
    /// The folder with the programs; nil where PostgreSQL is not installed.
    package static let programs: String? = {
        for version in (13...20).reversed() {
            let folder = "/usr/lib/postgresql/\(version)/bin"
            if unsafe access("\(folder)/postgres", X_OK) == 0 { return folder }
        }
        return nil
    }()

    /// Whether it is installed, as `Scripts/bootstrap --tests` does.
    package static var isInstalled: Bool { programs != nil }

    /// The port of 127.0.0.1, which also names the socket.
    package let port: UInt16
    /// The folder of the socket.
    package var host: String { folder.path }
    /// Where the database `name` is, for libpq.
    package func address(_ name: String = "postgres") -> String {
        "host=\(host) port=\(port) user=tally dbname=\(name)"
    }

    private let folder: ServerFolder
    private let isSafe: Bool
    private let program = Lock<ChildProgram?>(nil)

    /// Makes a cluster with the superuser `tally`, who needs no password on the socket and `secret` on the port, and starts
    /// it; unless `isSafe`, what is written may be lost with the machine.
    package init(isSafe: Bool = false) async throws(RealServerError) {
        guard let programs = Self.programs else { throw .silent("postgres", log: "it is not installed") }
        folder = try ServerFolder()
        self.isSafe = isSafe
        port = FreePort.find()
        let password = try folder.write("secret\n", to: "password")
        let data = folder.file("data")
        let words = ["-D", data, "-U", "tally", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--pwfile", password]
        let start = Self.command("\(programs)/initdb", words + ["--auth-local=trust", "--auth-host=scram-sha-256"])
        try await RealServers.run(start.path, start.arguments, output: folder.file("initdb.log"))
        try await self.start()
    }

    deinit { kill(SIGQUIT) }

    /// Starts it, and waits until it takes queries.
    package func start() async throws(RealServerError) {
        let settings = [
            "listen_addresses=127.0.0.1", "unix_socket_directories=\(host)", "fsync=\(isSafe ? "on" : "off")",
            "max_connections=20", "shared_buffers=16MB",
        ]
        let words = ["-D", folder.file("data"), "-p", "\(port)"] + settings.flatMap { ["-c", $0] }
        let start = Self.command("\(Self.programs ?? "")/postgres", words)
        let program = try RealServers.start(start.path, start.arguments, output: folder.file("server.log"))
        self.program.with { $0 = program }
        var answer = ""
        // It may say for a while that it is starting.
        let isUp = await eventually {
            answer = (try? await self.query("SELECT 1")) ?? ""
            return answer == "1" || program.state != .running
        }
        guard isUp, answer == "1" else {
            throw .silent("postgres", log: folder.lines("server.log").suffix(5).joined(separator: "; "))
        }
    }

    /// Ends it without a word to anybody, as a crash does: SIGQUIT is its immediate shutdown.
    package func crash() async {
        kill(SIGQUIT)
        _ = try? await program.with { $0 }?.end()
    }

    private func kill(_ signal: Int32) { program.with { $0 }?.send(signal) }

    /// What psql says to a query: rows in lines, values between `|`.
    package func query(_ text: String, in database: String = "postgres") async throws(RealServerError) -> String {
        let words = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address(database), "-c", text]
        guard let outcome = try? await ChildProgram.run("\(Self.programs ?? "")/psql", words) else {
            throw .silent("psql", log: "it does not end")
        }
        guard outcome.code == 0 else { throw .program("psql", code: outcome.code, log: outcome.errors) }
        return outcome.output.split(separator: "\n").joined(separator: "\n")
    }

    /// PostgreSQL refuses to run as root: then it runs as its own user.
    private static func command(_ path: String, _ arguments: [String]) -> (path: String, arguments: [String]) {
        guard getuid() == 0 else { return (path, arguments) }
        let words = ["--reuid", "postgres", "--regid", "postgres", "--clear-groups", path]
        return ("/usr/bin/setpriv", words + arguments)
    }
}
