internal import CLinux
internal import CSeccomp
internal import Glibc
internal import System

/// What a process that runs a plugin's code for the player can no longer do.
///
/// Three layers: limits of the process, files by Landlock where the kernel has it, and system calls by a filter. What
/// the filter does not know is refused with `EPERM`, so that a tracker which tries goes on without it.
package enum Confinement {
    /// Descriptors that it may have at once: its own, and those that loading a library takes.
    private static let descriptors: UInt64 = 64

    /// Before a plugin's first instruction: only files below the folders of libraries can be opened, and only to read;
    /// with `readsFiles` all that the user can read.
    ///
    /// Gives what went wrong, nil when nothing did.
    package static func begin(_ memoryBytes: Int, readsFiles: Bool = false) -> String? {
        guard tally_limit_process(UInt64(memoryBytes), descriptors) == 0 else {
            return "limits: \(SystemError.text(errno))"
        }
        let names = readsFiles ? ["/"] : LibraryFolders.names
        // A few names, once in the life of the process.
        var pointers = unsafe names.map { unsafe UnsafePointer(strdup($0)) }
        guard unsafe tally_restrict_files(&pointers, Int32(pointers.count)) >= 0 else {
            return "Landlock: \(SystemError.text(errno))"
        }
        return filter(opens: true)
    }

    /// When its code is there: no file can be opened any more.
    package static func finish() -> String? { filter(opens: false) }

    /// Calls that a tracker's process makes whatever it does: memory, time, signals to itself, and what is open.
    private static let allowed = [
        "read", "write", "readv", "writev", "pread64", "pwrite64", "close", "fstat", "lseek", "newfstatat", "poll",
        "ppoll", "futex", "mmap", "munmap", "mprotect", "mremap", "madvise", "brk", "membarrier", "rt_sigaction",
        "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "clock_gettime", "clock_getres", "clock_nanosleep",
        "nanosleep",
        "gettimeofday", "time", "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "exit",
        "exit_group", "getrandom", "sched_yield", "sched_getaffinity", "restart_syscall", "rseq", "set_robust_list",
        "getrusage", "sysinfo", "uname", "getcwd", "seccomp", "get_robust_list", "arch_prctl",
    ]

    /// A filter; each one that is added leaves only what all allow.
    private static func filter(opens: Bool) -> String? {
        guard let filter = unsafe seccomp_init(tally_seccomp_refuse()) else { return "no memory for a filter" }
        defer { unsafe seccomp_release(filter) }
        var failure: Int32 = 0
        let allow = UInt32(SCMP_ACT_ALLOW)
        func add(_ name: String, _ argument: scmp_arg_cmp? = nil) {
            let number = unsafe seccomp_syscall_resolve_name(name)
            guard number >= 0 else { return }
            let status: Int32
            if var argument {
                status = unsafe seccomp_rule_add_array(filter, allow, number, 1, &argument)
            } else {
                status = unsafe seccomp_rule_add_array(filter, allow, number, 0, nil)
            }
            if status != 0, failure == 0 { failure = status }
        }
        for name in allowed { add(name) }
        // A signal to itself, as abort sends it, and none to anybody else.
        add("tgkill", tally_seccomp_equal(0, UInt64(getpid())))
        add("rt_tgsigqueueinfo", tally_seccomp_equal(0, UInt64(getpid())))
        add("prlimit64", tally_seccomp_equal(2, 0))
        if opens {
            let writing = UInt64(O_ACCMODE | O_CREAT | O_TRUNC)
            add("openat", tally_seccomp_masked(2, writing, UInt64(O_RDONLY)))
            add("open", tally_seccomp_masked(1, writing, UInt64(O_RDONLY)))
            for name in ["access", "faccessat", "faccessat2", "readlink", "readlinkat", "stat", "statx", "prctl"] {
                add(name)
            }
        }
        if failure == 0 { failure = unsafe seccomp_load(filter) }
        return failure == 0 ? nil : "seccomp: \(SystemError.text(-failure))"
    }
}

/// The folders that this process' own libraries lie in, and those of the system's, where a plugin's may lie.
@safe private enum LibraryFolders {
    static var names: [String] {
        var names = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"]
        unsafe withUnsafeMutablePointer(to: &names) { names in
            unsafe tally_library_folders(
                { folder, data in
                    guard let names = unsafe data?.assumingMemoryBound(to: [String].self) else { return }
                    unsafe names.pointee.append(String(cString: folder))
                },
                names
            )
        }
        return names
    }
}
