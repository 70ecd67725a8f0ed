internal import ChildPrograms
internal import Glibc

/// kcat, a client of Kafka that has nothing of Tally in it.
package enum Kcat {
    private static let path = "/usr/bin/kcat"

    /// Whether it is installed, as `Scripts/bootstrap --tests` does.
    package static var isInstalled: Bool { unsafe access(path, X_OK) == 0 }

    /// What a topic holds now, each message in a form of kcat's, such as `%k %s\n`.
    package static func read(_ topic: String, of cluster: MockCluster, _ form: String) async throws -> String {
        let outcome = try await ChildProgram.run(
            path,
            ["-C", "-q", "-e", "-b", cluster.addresses, "-t", topic, "-o", "beginning", "-f", form]
        )
        guard outcome.code == 0 else { throw KcatFailure(description: "\(outcome)") }
        return outcome.output
    }
}

/// kcat did not read.
package struct KcatFailure: Error, CustomStringConvertible {
    /// What it said.
    package let description: String
}
