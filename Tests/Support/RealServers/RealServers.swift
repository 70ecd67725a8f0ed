internal import ChildPrograms
internal import Glibc

/// The programs of the tests that talk to real servers.
package enum RealServers {
    static let nginx = "/usr/sbin/nginx"
    static let squid = "/usr/sbin/squid"
    static let openssl = "/usr/bin/openssl"

    /// Whether all are installed, as `Scripts/bootstrap --tests` does.
    package static var areInstalled: Bool {
        let programs: [String] = [nginx, squid, openssl]
        return programs.allSatisfy { unsafe access($0, X_OK) == 0 }
    }

    /// Starts a program; what it writes goes to a file.
    static func start(
        _ path: String,
        _ arguments: [String],
        output: String
    ) throws(RealServerError) -> ChildProgram {
        do throws(ChildProgram.StartFailure) {
            return try ChildProgram(path, arguments, output: output, joined: true)
        } catch {
            throw .program(path, code: error.number, log: "it cannot be started")
        }
    }

    /// Runs a program to its end.
    static func run(_ path: String, _ arguments: [String], output: String) async throws(RealServerError) {
        let code = (try? await start(path, arguments, output: output).end()) ?? -1
        guard code == 0 else { throw .program(path, code: code, log: output) }
    }
}
