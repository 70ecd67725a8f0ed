internal import Glibc
internal import System

/// What a collector takes of many viewers at once, and what nginx takes that writes the same requests into its log.
enum CollectorRound {
    /// Who takes the viewers' reports.
    private enum Server: String, CaseIterable {
        case collector
        case nginx
    }

    private static let quickly = 250.0

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let viewers = try arguments.number("--viewers", or: 5_000)
        let seconds = try arguments.number("--seconds", or: 40)
        let connections = min(viewers, try arguments.number("--connections", or: 8_000))
        let slow = Int(arguments.text("--slow", or: "0")) ?? 0
        let tracker = arguments.text("--tracker", or: "new-relic-video")
        let server = try arguments.word("--server", of: Server.allCases.map(\.rawValue), or: "collector")
        let program = arguments.text("--collector", or: ".build/release/tally-collector")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        let folder = arguments.text("--folder", or: ".build/bench/collector")
        try arguments.finish()
        allowConnections()
        let start = try server == "nginx" ? nginx(folder) : collector(program, folder, tracker, directory)
        defer { start.server.end() }
        let name = server == "nginx" ? "nginx" : tracker == "none" ? "collector/none" : "collector"
        let round = name + "/\(viewers)" + (slow > 0 ? "/slow-\(slow)" : "")
        try measure(round, start.server, start.port, (viewers, seconds, connections, slow))
    }

    private static func measure(
        _ name: String,
        _ server: MeasuredServer,
        _ port: UInt16,
        _ load: (viewers: Int, seconds: Int, connections: Int, slow: Int)
    ) throws(BenchError) {
        let idle = server.memory("VmRSS")
        let slow = try SlowClients(port: port, count: load.slow)
        var crowds: [ViewerCrowd] = []
        for half in 0..<2 {
            let range = half * load.viewers / 2..<(half + 1) * load.viewers / 2
            crowds.append(try ViewerCrowd(port: port, viewers: range, connections: load.connections / 2))
        }
        let before = (server: server.processorSeconds, own: Stopwatch.processor())
        let begin = Stopwatch.wall() + 50_000_000
        let threads = crowds.map { $0.begin(at: begin, seconds: load.seconds) }
        for thread in threads { thread.join() }
        let wall = Double(Stopwatch.wall() - begin) / 1e9
        let processor = server.processorSeconds - before.server
        let own = Double(Stopwatch.processor() - before.own) / 1e9
        let ended = slow.end()
        var sum = ViewerCrowd.Outcome()
        for crowd in crowds {
            sum.add(try crowd.outcome())
        }
        let samples = Samples(sum.latencies)
        let all = sum.latencies.count + sum.refused
        let quick = Double(sum.latencies.count { $0 <= quickly }) / Double(max(1, all)) * 100
        let peak = server.memory("VmHWM")
        let notes = [
            ("batches", "\(all)"), ("refused", "\(sum.refused)"), ("cuts", "\(sum.cuts)"), ("slow_ended", "\(ended)"),
        ]
        Figure(name + "/within-250ms", quick, "%", notes).printLine()
        Figure(name + "/median", samples.median, "ms").printLine()
        Figure(name + "/p99", samples.percentile(0.99), "ms", [("max", Figure.text(samples.greatest))]).printLine()
        Figure(name + "/lost", Double(sum.lost), "lines", [("lines", "\(sum.lines)")]).printLine()
        Figure(name + "/events", Double(sum.lines) / wall, "events/s").printLine()
        let share = [("generator", Figure.text(own / wall * 100))]
        Figure(name + "/processor", processor / wall * 100, "%-of-a-core", share).printLine()
        Figure(name + "/events-a-core", Double(sum.lines) / max(processor, 0.01), "events/s").printLine()
        Figure(name + "/memory", peak, "KiB", [("before", Figure.text(idle))]).printLine()
        Figure(name + "/memory-a-viewer", (peak - idle) / Double(load.viewers), "KiB").printLine()
    }

    /// A collector on an empty folder.
    static func collector(
        _ program: String,
        _ folder: String,
        _ tracker: String,
        _ directory: String
    ) throws(BenchError) -> (server: MeasuredServer, port: UInt16) {
        try empty(folder)
        let plugins = tracker == "none" ? "discard" : "\(tracker),discard"
        let server = try MeasuredServer(
            program,
            ["--folder", folder + "/runs", "--listen", "127.0.0.1:0", "--plugins", plugins, "--plugin-dir", directory],
            errors: folder + "/collector.log"
        )
        return (server, try server.port())
    }

    /// A server that takes the same requests into its log, without making them safe.
    private static func nginx(_ folder: String) throws(BenchError) -> (server: MeasuredServer, port: UInt16) {
        try empty(folder)
        var path = folder
        if let real = unsafe realpath(folder, nil) {
            path = unsafe String(cString: real)
            unsafe free(real)
        }
        let port: UInt16 = 18_412
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0); " }
        // A mirror is what has the body read; it is answered at once.
        let text = """
            daemon off;
            master_process off;
            pid \(path)/pid;
            error_log \(path)/error.log;
            worker_rlimit_nofile 20000;
            events { worker_connections 19000; }
            http {
                \(temporary.joined())
                log_format body escape=none $request_body;
                access_log \(path)/bodies.log body buffer=64k flush=1s;
                keepalive_requests 1000000000;
                client_body_buffer_size 64k;
                server {
                    listen 127.0.0.1:\(port) backlog=4096;
                    location / { root \(path)/none; mirror /mirror; error_page 403 404 405 =200 @taken; }
                    location = /mirror { internal; return 204; }
                    location @taken { return 200 "{}"; }
                }
            }
            """
        guard let file = unsafe fopen(path + "/nginx.conf", "we") else { throw .file(path: path, number: errno) }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
        let server = try MeasuredServer(
            "/usr/sbin/nginx",
            ["-c", path + "/nginx.conf", "-e", path + "/error.log", "-p", path],
            errors: path + "/nginx.log"
        )
        while unsafe access(path + "/pid", F_OK) != 0 { Stopwatch.sleep(milliseconds: 20) }
        return (server, port)
    }

    /// Makes a folder that a round before may have left, and empties it.
    private static func empty(_ folder: String) throws(BenchError) {
        remove(folder)
        guard unsafe mkdir(folder, 0o755) == 0 else { throw .file(path: folder, number: errno) }
    }

    private static func remove(_ path: String) {
        guard let directory = unsafe opendir(path) else {
            unsafe unlink(path)
            return
        }
        while let entry = unsafe readdir(directory) {
            let isFolder = unsafe entry.pointee.d_type == DT_DIR
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            guard name != ".", name != ".." else { continue }
            if isFolder { remove(path + "/" + name) } else { unsafe unlink(path + "/" + name) }
        }
        unsafe closedir(directory)
        unsafe rmdir(path)
    }

    /// Lets this process have as many descriptors as it may.
    static func allowConnections() {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
