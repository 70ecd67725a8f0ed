internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// `ls`: one line for each run, when it ends; runs without an end come last.
final class RunListing: ArchiveTool {
    private let json: Bool
    private var open: [RunOverview] = []

    init(json: Bool) {
        self.json = json
    }

    func take(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        if case .header(let header) = line.content {
            if let before = open.firstIndex(where: { $0.run == line.run }) { try show(open.remove(at: before)) }
            open.append(RunOverview(header))
        }
        guard let index = open.lastIndex(where: { $0.run == line.run }) else { return }
        open[index].take(line)
        if case .end = line.content { try show(open.remove(at: index)) }
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        for run in open { try show(run) }
        open = []
    }

    private func show(_ run: RunOverview) throws(HostError) {
        try print((json ? run.json.canonicalText : run.text) + "\n")
    }
}
