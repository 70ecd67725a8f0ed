/// System calls that are made to fail in a program, by a library that it is started with.
enum SystemFaults {
    /// The environment that lets calls on files fail that have `file` in their path.
    ///
    /// `members` say which: names are those of `Tests/Support/SystemFaults`, without what they all begin with.
    static func environment(in binaries: String, file: String, _ members: [String: String]) -> [String: String] {
        var environment = [
            "LD_PRELOAD": "\(binaries)/libsystem-faults.fixture.so", "TALLY_FAULTS_FILE": file,
        ]
        for (name, value) in members {
            environment["TALLY_FAULTS_\(name)"] = value
        }
        return environment
    }
}
