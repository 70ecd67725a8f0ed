internal import Glibc

/// The programs of the tests that talk to real servers.
package enum RealServers {
    static let nginx = "/usr/sbin/nginx"
    static let squid = "/usr/sbin/squid"
    static let openssl = "/usr/bin/openssl"

    /// Whether all are installed, as `Scripts/bootstrap --servers` does.
    package static var areInstalled: Bool {
        let programs: [String] = [nginx, squid, openssl]
        return programs.allSatisfy { unsafe access($0, X_OK) == 0 }
    }
}
