import CollectedRuns
import TestFiles
import Testing

@Suite struct ArchiveShelfTests {
    private let files = TemporaryFolder()

    /// The file of a run that is over, of which something came last in an hour of 1970.
    private func run(_ name: String, hour: Int64) -> String {
        let header = #""tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":0,"trackers":[]}"#
        let lines = [
            ##"#k {"form":"tally","run":"\##(name)","tenant":"web"}"##, #"{"run":"\#(name)","n":0,\#(header)}"#,
            #"{"run":"\#(name)","n":1,"t_us":0,"end":"drained","dropped":0}"#, "#j 1 1 \(hour * 3_600_000_000) 0", "#e",
        ]
        return files.write("\(name).run", lines.joined(separator: "\n") + "\n")
    }

    @Test("An archive that nothing is added to is closed after a while, and opened again for what comes later")
    func closed() throws {
        for openFor in [Int64.max, 0] {
            var options = ArchiveShelf.Options(folder: files.file("archives-\(openFor)"))
            options.openFor = openFor
            let shelf = try ArchiveShelf(options) { Issue.record("\($0)") }
            for round in ["a", "b"] {
                for hour in 1...3 { shelf.add(run("\(round)\(hour)", hour: Int64(hour))) }
                shelf.drain()
                #expect(shelf.statistics.open == (openFor == 0 ? 0 : 3))
            }
            shelf.close()
            #expect(shelf.statistics.runs == 6)
            let names = shelf.recentRuns(now: 0).map(\.key.name)
            #expect(names.sorted() == ["a1", "a2", "a3", "b1", "b2", "b3"])
        }
    }
}
