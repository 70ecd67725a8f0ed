internal import TallyTesting

/// Makes the reference archive, which docs/bench.md defines.
enum ReferenceArchiveRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let path = try arguments.file()
        let events = try arguments.number("--events", or: 1_000_000)
        let seed = try arguments.number("--seed", or: 1)
        try arguments.finish()
        do throws(ReferenceArchive.Failure) {
            let size = try ReferenceArchive.write(to: path, events: events, seed: UInt64(seed))
            let notes = [("runs", "\(size.runs)"), ("bytes", "\(size.bytes)")]
            Figure("archive", Double(events), "events", notes).printLine()
        } catch {
            switch error {
            case .file(let path, let number): throw .file(path: path, number: number)
            case .refused(let reason): throw .refused(reason)
            }
        }
    }
}
