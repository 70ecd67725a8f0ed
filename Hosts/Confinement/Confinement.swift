internal import CLinux
internal import CSeccomp
internal import Glibc
package import System

/// What a process that runs a plugin's code for the player can no longer do.
///
/// Three layers: limits of the process, files by Landlock where the kernel has it, and system calls by a filter. What
/// the filter does not know is refused with `EPERM`, so that a tracker which tries goes on without it.
package enum Confinement {
    /// Descriptors that it may have at once: its own, and those that loading a library takes.
    private static let descriptors: UInt64 = 64
    /// The same of one that does input and output.
    private static let manyDescriptors: UInt64 = 1024

    /// Before a plugin's first instruction: only files below the folders of libraries can be opened, and only to read,
    /// and those that are allowed.
    ///
    /// Gives what went wrong, nil when nothing did.
    package static func begin(_ allowance: ProcessAllowance) -> String? {
        let most = allowance.doesIO ? manyDescriptors : descriptors
        let writes: Int32 = allowance.writable.isEmpty && !allowance.hasStreams ? 0 : 1
        guard tally_limit_process(UInt64(allowance.memoryBytes), most, writes) == 0 else {
            return "limits: \(SystemError.text(errno))"
        }
        var readable = LibraryFolders.names + allowance.readable
        if allowance.doesIO { readable += SystemFiles.ofAll }
        if allowance.usesNetwork { readable += SystemFiles.ofNetwork }
        // A few names, once in the life of the process.
        var names = unsafe (readable.map { unsafe UnsafePointer(strdup($0)) }) + [nil]
        var written = unsafe (allowance.writable.map { unsafe UnsafePointer(strdup($0)) }) + [nil]
        let (connects, listens): (Int32, Int32) = (allowance.connects ? 1 : 0, allowance.listens ? 1 : 0)
        guard unsafe tally_restrict_files(&names, &written, connects, listens) >= 0 else {
            return "Landlock: \(SystemError.text(errno))"
        }
        return filter(allowance, isLoading: true)
    }

    /// When its code is there: one that needs no files can open none any more.
    package static func finish(_ allowance: ProcessAllowance) -> String? {
        allowance.opensFiles ? nil : filter(allowance, isLoading: false)
    }

    /// Calls that every such process makes: memory, time, signals to itself, and what is open.
    private static let allowed = [
        "read", "write", "readv", "writev", "pread64", "pwrite64", "close", "fstat", "lseek", "newfstatat", "poll",
        "ppoll", "futex", "mmap", "munmap", "mprotect", "mremap", "madvise", "brk", "membarrier", "rt_sigaction",
        "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "clock_gettime", "clock_getres", "clock_nanosleep",
        "nanosleep",
        "gettimeofday", "time", "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "exit",
        "exit_group", "getrandom", "sched_yield", "sched_getaffinity", "restart_syscall", "rseq", "set_robust_list",
        "getrusage", "sysinfo", "uname", "getcwd", "seccomp", "get_robust_list", "arch_prctl",
    ]

    /// Calls of one that does input and output: on what is open, and to wait for it.
    private static let allowedForIO = [
        "dup", "dup2", "dup3", "pipe", "pipe2", "eventfd2", "select", "pselect6", "epoll_create1", "epoll_ctl",
        "epoll_wait", "epoll_pwait", "timerfd_create", "timerfd_settime", "fsync", "fdatasync",
        "ftruncate", "fallocate", "flock", "fchmod", "fchown", "getdents64", "lstat", "statfs", "fstatfs",
    ]
    /// What it may do with descriptors by `fcntl`: nothing that sends signals.
    private static let descriptorCommands = [
        F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
    ]
    /// Calls of one that has sockets.
    private static let allowedForNetwork = [
        "recvfrom", "recvmsg", "recvmmsg", "getsockopt", "setsockopt", "getsockname", "getpeername", "shutdown",
        "socketpair",
    ]
    /// Calls that send, each with the place of its flags.
    private static let sending: [(name: String, flags: UInt32)] = [("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)]
    /// The flag by which a call that sends connects too, and the bits of a socket's type that say what it is.
    private static let (fastOpen, kindOfSocket): (UInt64, UInt64) = (0x2000_0000, 0xF)
    /// Numbers of requests to `ioctl` and `prctl`, as the system's headers have them.
    private static let (readableBytes, nonBlocking, terminal): (UInt64, UInt64, UInt64) = (0x541B, 0x5421, 0x5401)
    /// What `clone` is given for a thread and for no process.
    private static let thread: UInt64 = 0x1_0000
    private static let (nameThread, nameMemory, noPrivileges): (UInt64, UInt64, UInt64) = (15, 0x5356_4D41, 38)

    /// A filter; each one that is added leaves only what all allow.
    private static func filter(_ allowance: ProcessAllowance, isLoading: Bool) -> String? {
        guard let filter = unsafe seccomp_init(tally_seccomp_refuse()) else { return "no memory for a filter" }
        defer { unsafe seccomp_release(filter) }
        var failure: Int32 = 0
        func add(_ name: String, _ arguments: scmp_arg_cmp..., action: UInt32 = UInt32(SCMP_ACT_ALLOW)) {
            let number = unsafe seccomp_syscall_resolve_name(name)
            guard number >= 0 else { return }
            let status = unsafe arguments.withUnsafeBufferPointer { arguments in
                unsafe seccomp_rule_add_array(filter, action, number, UInt32(arguments.count), arguments.baseAddress)
            }
            if status != 0, failure == 0 { failure = status }
        }
        for name in allowed { add(name) }
        // A signal to itself, as abort sends it, and none to anybody else.
        add("tgkill", tally_seccomp_equal(0, UInt64(getpid())))
        add("rt_tgsigqueueinfo", tally_seccomp_equal(0, UInt64(getpid())))
        add("prlimit64", tally_seccomp_equal(2, 0))
        if isLoading || allowance.opensFiles {
            if allowance.writable.isEmpty {
                let writing = UInt64(O_ACCMODE | O_CREAT | O_TRUNC)
                add("openat", tally_seccomp_masked(2, writing, UInt64(O_RDONLY)))
                add("open", tally_seccomp_masked(1, writing, UInt64(O_RDONLY)))
            } else {
                for name in ["openat", "open", "unlink", "unlinkat", "rename", "renameat", "renameat2"] { add(name) }
            }
            for name in ["access", "faccessat", "faccessat2", "readlink", "readlinkat", "stat", "statx"] { add(name) }
        }
        if !allowance.doesIO, isLoading { add("prctl") }
        if allowance.doesIO {
            for name in allowedForIO { add(name) }
            for command in descriptorCommands { add("fcntl", tally_seccomp_equal(1, UInt64(command))) }
            for request in [readableBytes, nonBlocking] { add("ioctl", tally_seccomp_equal(1, request)) }
            if allowance.hasStreams { add("ioctl", tally_seccomp_equal(1, terminal)) }
            // The filter that is added when the code is there asks once more for no new privileges.
            for purpose in [nameThread, nameMemory] + (isLoading ? [noPrivileges] : []) {
                add("prctl", tally_seccomp_equal(0, purpose))
            }
        }
        if allowance.hasThreads {
            // Where the newer call is not there, threads are begun by the older one, whose arguments can be looked at.
            add("clone3", action: tally_seccomp_lack())
            add("clone", tally_seccomp_masked(0, thread, thread))
        }
        if allowance.usesNetwork {
            for name in allowedForNetwork { add(name) }
            // No local sockets: other programs of the user wait there, and the player's control.
            for family in [AF_INET, AF_INET6].map({ tally_seccomp_equal(0, UInt64($0)) }) {
                if allowance.connects {
                    add("socket", family)
                } else {
                    // What has no connection sends to anybody.
                    add("socket", family, tally_seccomp_masked(1, kindOfSocket, UInt64(SOCK_STREAM.rawValue)))
                }
            }
            for call in sending {
                if allowance.connects {
                    add(call.name)
                } else {
                    add(call.name, tally_seccomp_masked(call.flags, fastOpen, 0))
                }
            }
            if allowance.connects { add("connect") }
        }
        if allowance.listens {
            for name in ["bind", "listen", "accept", "accept4"] { add(name) }
        }
        if failure == 0 { failure = unsafe seccomp_load(filter) }
        return failure == 0 ? nil : "seccomp: \(SystemError.text(-failure))"
    }
}

/// What the system keeps for all programs, and a plugin's libraries read by themselves.
private enum SystemFiles {
    /// Time zones, and random numbers as older libraries get them.
    static let ofAll = ["/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null"]
    /// How names are looked up, and which certificates are trusted.
    static let ofNetwork = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
        "/run/systemd/resolve", "/etc/ssl", "/usr/lib/ssl", "/usr/share/ca-certificates",
        "/usr/local/share/ca-certificates", "/etc/pki", "/etc/ca-certificates",
    ]
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
