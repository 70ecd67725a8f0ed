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
        folder = try ServerFolder()
        (port, program) = try await Self.start(in: folder)
    }

    /// On a port that is free; on another one when somebody else took it meanwhile.
    private static func start(in folder: ServerFolder) async throws(RealServerError) -> (UInt16, ChildProgram) {
        for _ in 0..<FreePort.tries {
            let port = FreePort.find()
            let configuration = try folder.write(Self.configuration(folder, port), to: "squid.conf")
            // Its shared memory is named after this: that of another squid, maybe of another user, would be in the way.
            let program = try RealServers.start(
                RealServers.squid,
                ["-N", "-n", "tally\(port)", "-f", configuration],
                output: folder.file("output.log")
            )
            if await FreePort.waitForListener(on: port, program) { return (port, program) }
        }
        throw .silent(RealServers.squid, log: folder.lines("output.log").joined(separator: "; "))
    }

    private static func configuration(_ folder: ServerFolder, _ port: UInt16) -> String {
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

        """
    }

    deinit {
        program.send(SIGTERM)
    }

    /// The lines of its log.
    package var lines: [String] { folder.lines("requests.log") }
}
