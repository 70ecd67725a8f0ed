import Archive
import EventModel
import Glibc
import PluginABI

/// An event as the line that an archive has for it.
enum ArchiveLineText {
    static func of(_ event: EventView, report: UnsafePointer<tally_state>) -> String {
        var random = SystemRandomNumberGenerator()
        let path = "/tmp/tally-model-test-\(getpid())-\(random.next()).tally"
        defer { unsafe unlink(path) }
        guard let file = try? ArchiveFile(path: path) else { fatalError("\(path) cannot be written") }
        let header = ArchiveHeader(run: "r", semantics: 1, core: "", epoch: 0, trackers: [])
        let writer = ArchiveWriter(file: file, header: header) { _ in }
        unsafe writer.event(event, report: report)
        guard let stream = unsafe fopen(path, "r") else { return "" }
        defer { unsafe fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = unsafe getc(stream), byte >= 0 {
            bytes.append(UInt8(byte))
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
    }
}
