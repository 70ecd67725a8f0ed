internal import Glibc

/// How a program is started: its streams, its environment, its signals.
struct ProgramStart {
    /// What standard input, output and error are.
    enum Streams {
        case files(input: String, output: String, errors: String)
        /// The program leads a session of its own, which the terminal belongs to.
        case terminal(String)
    }

    /// The system's error number.
    struct Failure: Error {
        let number: Int32
    }

    // What the headers define with macros that Swift cannot see.
    private static let setsMask: Int16 = 0x08
    private static let setsDefaults: Int16 = 0x04
    private static let beginsSession: Int16 = 0x80

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// posix_spawn_file_actions_addclosefrom_np, which Swift's Glibc does not show.
    private static let closeFrom: CloseFrom? = unsafe unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
        to: CloseFrom?.self
    )

    /// The name that the program is started by.
    let name: String
    var streams = Streams.files(input: "/dev/null", output: "/dev/null", errors: "/dev/null")
    var environment: [String] = []

    init(name: String) {
        self.name = name
    }

    /// Starts the program at a path; gives the number of its process.
    func start(_ path: String, _ arguments: [String]) -> Result<pid_t, Failure> {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var flags = Self.setsMask | Self.setsDefaults
        switch streams {
        case .files(let input, let output, let errors):
            let create = O_WRONLY | O_CREAT | O_TRUNC
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, create, 0o600)
            if errors == output {
                unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, create, 0o600)
            }
        case .terminal(let path):
            flags |= Self.beginsSession
            // The first terminal that the leader of a new session opens controls it.
            for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, stream, path, O_RDWR, 0)
            }
        }
        // What another test has open at this moment is none of the program's: it would keep pipes and connections open.
        _ = unsafe Self.closeFrom?(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // No signal is blocked or ignored because it is in whatever runs the tests.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var id = pid_t()
        let number = unsafe posix_spawn(&id, path, &actions, &attributes, &words, &variables)
        return number == 0 ? .success(id) : .failure(Failure(number: number))
    }
}

/// The variables of a program that a test starts.
enum ProgramEnvironment {
    /// How a sanitizer is to work holds for what a test starts too; signals end a program, and not the sanitizer's handler.
    private static let sanitizers = ["ASAN_OPTIONS", "TSAN_OPTIONS"]

    /// `NAME=VALUE` of each: what this process has, or only what sanitizers need, and `added`.
    ///
    /// No crash is explained, which takes long, and no plugin that a test's program dies in is remembered in the user's own
    /// quarantine. What the probe says of plugins is kept for all tests: half of a program's start would be that.
    static func variables(adding added: [String: String], inherits: Bool) -> [String] {
        var variables = inherits ? own : own.filter { sanitizers.contains($0.key) }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        if inherits {
            variables["TALLY_STATE"] = ""
            variables["TALLY_CACHE"] = "/tmp/tally-tests-\(geteuid())"
        }
        for name in sanitizers {
            variables[name] = (variables[name].map { $0 + ":" } ?? "") + "handle_segv=0"
        }
        return variables.merging(added) { _, given in given }.map { "\($0)=\($1)" }
    }

    /// Read once: no test may change them.
    private static let own: [String: String] = {
        var variables: [String: String] = [:]
        var index = 0
        while let entry = unsafe environ[index] {
            let words = unsafe String(cString: entry).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            if words.count == 2 { variables[String(words[0])] = String(words[1]) }
            index += 1
        }
        return variables
    }()
}

extension ChildProgram {
    /// Whether the tests, and the programs that they start, were built with the thread sanitizer.
    package static let isUnderThreadSanitizer =
        unsafe getenv("TALLY_SANITIZER").map { unsafe String(cString: $0) } == "thread"
}
