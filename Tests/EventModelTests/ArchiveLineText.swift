import Archive
import EventModel
import PluginABI
import TestFiles

/// An event as the line that an archive has for it.
enum ArchiveLineText {
    static func of(_ event: EventView, report: UnsafePointer<tally_state>) -> String {
        let folder = TemporaryFolder()
        let path = folder.file("run.tally")
        guard let file = try? ArchiveFile(path: path) else { fatalError("\(path) cannot be written") }
        let header = ArchiveHeader(run: "r", semantics: 1, core: "", epoch: 0, trackers: [])
        let writer = ArchiveWriter(file: file, header: header) { _ in }
        unsafe writer.event(event, report: report)
        let text = (try? TestFile.text(path)) ?? ""
        return text.split(separator: "\n").last.map(String.init) ?? ""
    }
}
