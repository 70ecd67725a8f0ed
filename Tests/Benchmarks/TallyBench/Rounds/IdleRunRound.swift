internal import Glibc
internal import System
internal import Tally

/// What a run costs of memory that has begun to play and of which nothing more is heard, in a process with many.
enum IdleRunRound {
    /// Runs that begin before anything is measured: what is made once, for the process and its workers, is there then.
    private static let first = 500

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let count = try arguments.number("--count", or: 5000)
        let name = arguments.text("--tracker", or: "none")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        var plugins: [PluginSelection] = []
        if name != "none" {
            guard let plugin = MeasuredPlugin(rawValue: name) else { throw .refused("no tracker \(name) is measured") }
            plugins = plugin.selections
        }
        let catalog = PluginCatalog()
        if !plugins.isEmpty { catalog.search(directory) }
        do {
            let telemetry = try Telemetry(plugins: plugins, catalog: catalog, options: Telemetry.Options())
            var runs = try begin(first, telemetry)
            let before = residentKiB()
            runs += try begin(count, telemetry)
            let memory = residentKiB() - before
            let threads = threadCount()
            for run in runs { run.destroy() }
            telemetry.close()
            let notes = [("runs", "\(count)"), ("threads", "\(threads)")]
            Figure("idle-run/\(name)", memory / Double(count), "KiB", notes).printLine()
        } catch {
            throw .refused("\(error)")
        }
    }

    private static func begin(_ count: Int, _ telemetry: Telemetry) throws -> [PlayerRun] {
        var runs: [PlayerRun] = []
        for _ in 0..<count {
            let run = try telemetry.startRun()
            run.trackVideoLoad()
            run.trackPlay()
            run.trackFirstFrame()
            run.trackPlayhead()
            runs.append(run)
        }
        // What was told is behind a run whose plugins are asked for.
        for run in runs { _ = run.plugins() }
        return runs
    }

    private static func residentKiB() -> Double { field("VmRSS:") }

    private static func threadCount() -> Int { Int(field("Threads:")) }

    private static func field(_ name: String) -> Double {
        guard let file = unsafe fopen("/proc/self/status", "re") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(whereSeparator: \.isWhitespace)
            if words.first == name[...], words.count > 1 { return Double(words[1]) ?? 0 }
        }
        return 0
    }
}
