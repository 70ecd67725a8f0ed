internal import ChildPrograms
internal import Glibc

/// The proxy squid on 127.0.0.1, which lets everything through and writes it down.
package final class Squid {
    /// Its port.
    package let port: UInt16
    private let folder: ServerFolder
    private let program: ChildProgram

    /// Starts it, and waits until it listens.
    package init() async throws(RealServerError) {
        let folder = try ServerFolder()
        let port = FreePort.find()
        let configuration = try folder.write(
            """
            http_port 127.0.0.1:\(port)
            http_access allow all
            access_log stdio:\(folder.file("requests.log"))
            cache_log \(folder.file("cache.log"))
            pid_filename \(folder.file("pid"))
            coredump_dir \(folder.path)
            netdb_filename none
            cache deny all
            pinger_enable off
            shutdown_lifetime 0 seconds
            visible_hostname tally-test-proxy

            """,
            to: "squid.conf"
        )
        self.folder = folder
        self.port = port
        // Its shared memory is named after this: that of another squid, maybe of another user, would be in the way.
        program = try RealServers.start(
            RealServers.squid,
            ["-N", "-n", "tally\(port)", "-f", configuration],
            output: folder.file("output.log")
        )
        guard await FreePort.waitForListener(on: port) else {
            throw .silent(RealServers.squid, log: folder.lines("output.log").joined(separator: "; "))
        }
    }

    deinit {
        program.send(SIGTERM)
    }

    /// The lines of its log.
    package var lines: [String] { folder.lines("requests.log") }
}
