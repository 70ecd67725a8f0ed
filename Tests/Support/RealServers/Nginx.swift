internal import ChildPrograms
internal import Glibc

/// nginx on 127.0.0.1, which takes every POST, serves a folder or does what a configuration says, and writes down how it
/// came.
package final class Nginx {
    /// A request as nginx logged it.
    package struct Entry {
        /// `2` for HTTP/2, otherwise 1.
        package let version: Int
        /// nginx's number of the connection.
        package let connection: String
        /// Path and query.
        package let target: String
        /// Proxies that it came through, `-` for none.
        package let via: String
    }

    /// The plain port, and the one for TLS.
    package let port: UInt16
    package let securePort: UInt16
    private let folder: ServerFolder
    private let program: ChildProgram

    /// Starts it with a certificate, and waits until it listens; without a folder each answer is empty.
    package init(_ authority: TestAuthority, root: String? = nil) async throws(RealServerError) {
        folder = try ServerFolder()
        (port, securePort, program) = try await Self.start(in: folder) { folder, port, securePort in
            Self.main(folder, Self.server(folder, authority, root, port, securePort))
        }
    }

    /// Starts it with what `http` holds: `site` makes it of the folder for its files and of two free ports.
    package init(
        site: (_ folder: ServerFolder, _ port: UInt16, _ securePort: UInt16) -> String
    ) async throws(RealServerError) {
        folder = try ServerFolder()
        (port, securePort, program) = try await Self.start(in: folder) { folder, port, securePort in
            Self.main(folder, site(folder, port, securePort))
        }
    }

    /// On two ports that are free; on others when somebody else took one meanwhile.
    private static func start(
        in folder: ServerFolder,
        _ configuration: (ServerFolder, UInt16, UInt16) -> String
    ) async throws(RealServerError) -> (UInt16, UInt16, ChildProgram) {
        for _ in 0..<FreePort.tries {
            let (port, securePort) = (FreePort.find(), FreePort.find())
            let configuration = try folder.write(configuration(folder, port, securePort), to: "nginx.conf")
            let program = try RealServers.start(
                RealServers.nginx,
                ["-c", configuration, "-e", folder.file("error.log"), "-p", folder.path],
                output: folder.file("output.log")
            )
            if await FreePort.waitForListener(on: securePort, program) { return (port, securePort, program) }
        }
        throw .silent(RealServers.nginx, log: folder.lines("error.log").joined(separator: "; "))
    }

    private static func main(_ folder: ServerFolder, _ http: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: "\n    ")
        return """
            daemon off;
            master_process off;
            pid \(folder.file("pid"));
            error_log \(folder.file("error.log"));
            events { worker_connections 256; }
            http {
                \(temporary)
                \(http)
            }

            """
    }

    private static func server(
        _ folder: ServerFolder,
        _ authority: TestAuthority,
        _ root: String?,
        _ port: UInt16,
        _ securePort: UInt16
    ) -> String {
        """
        log_format requests '$server_protocol $connection $request_uri $http_via';
        access_log \(folder.file("requests.log")) requests;
        server {
            listen 127.0.0.1:\(port);
            listen 127.0.0.1:\(securePort) ssl http2;
            listen 127.0.0.2:\(securePort) ssl http2;
            ssl_certificate \(authority.serverCertificate);
            ssl_certificate_key \(authority.serverKey);
            location / { \(root.map { "root \($0)" } ?? "return 200"); }
        }
        """
    }

    deinit {
        program.send(SIGTERM)
    }

    /// The lines of a file in its folder, none when it is not there.
    package func lines(_ name: String) -> [String] { folder.lines(name) }

    /// What it was asked so far.
    package var entries: [Entry] {
        folder.lines("requests.log").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            // Who breaks a handshake off behind the server's part of it, as for a certificate, has asked for nothing.
            guard words.count == 4, words[2] != "-" else { return nil }
            return Entry(
                version: words[0] == "HTTP/2.0" ? 2 : 1,
                connection: words[1],
                target: words[2],
                via: words[3]
            )
        }
    }
}
