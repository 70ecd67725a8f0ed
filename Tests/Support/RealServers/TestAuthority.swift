/// A certificate authority that exists for one test, and a certificate of it for `localhost` and 127.0.0.1.
package final class TestAuthority {
    private let folder: ServerFolder
    /// The authority's certificate.
    package var certificate: String { folder.file("ca.pem") }
    /// The server's certificate and its key.
    package var serverCertificate: String { folder.file("server.pem") }
    package var serverKey: String { folder.file("server.key") }

    /// Makes both with openssl.
    package init() async throws(RealServerError) {
        let folder = try ServerFolder()
        self.folder = folder
        let key = ["-newkey", "rsa:2048", "-nodes", "-keyout"]
        let log = folder.file("openssl.log")
        let extensions = try folder.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n", to: "names")
        try await RealServers.run(
            RealServers.openssl,
            ["req", "-x509"] + key + [
                folder.file("ca.key"), "-out", folder.file("ca.pem"), "-days", "2", "-subj", "/CN=Tally test authority",
            ],
            output: log
        )
        try await RealServers.run(
            RealServers.openssl,
            ["req"] + key + [folder.file("server.key"), "-out", folder.file("server.csr"), "-subj", "/CN=localhost"],
            output: log
        )
        try await RealServers.run(
            RealServers.openssl,
            [
                "x509", "-req", "-in", folder.file("server.csr"), "-CA", folder.file("ca.pem"), "-CAkey",
                folder.file("ca.key"), "-set_serial", "1", "-days", "2", "-extfile", extensions, "-out",
                folder.file("server.pem"),
            ],
            output: log
        )
    }
}
