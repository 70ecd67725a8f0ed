internal import Archive
internal import Glibc
internal import TextEncoding

/// Tells what the rounds gave: medians, spreads, ratios in pairs, and whether the targets are reached.
enum Report {
    /// Above this, in per cent, a figure says nothing.
    private static let greatestSpread = 25.0

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let path = try arguments.file()
        try arguments.finish()
        var rounds: [String: [Figure]] = [:]
        for line in try read(path).split(separator: "\n") {
            if let figure = Figure(line: line) {
                rounds[figure.name, default: []].append(figure)
            }
        }
        print(row(["figure", "rounds", "median", "unit", "spread", "ratio", "target", "result"]))
        print("|---|---|---|---|---|---|---|---|")
        for definition in FigureDefinition.all {
            if let figures = rounds[definition.name] {
                print(row(cells(definition, figures, rounds)))
            }
        }
    }

    private static func cells(
        _ definition: FigureDefinition,
        _ figures: [Figure],
        _ rounds: [String: [Figure]]
    ) -> [String] {
        let samples = Samples(figures.map(\.value))
        var judged = samples
        var ratio = "-"
        if let name = definition.target.reference {
            let reference = rounds[name] ?? []
            judged = Samples(zip(figures, reference).map { $0.value / $1.value })
            ratio = reference.isEmpty ? "?" : "\(Figure.fixed(judged.median, 3)) (\(percent(judged.spread)))"
        }
        return [
            definition.title, "\(figures.count)", Figure.text(samples.median), figures[0].unit,
            percent(samples.spread), ratio, definition.target.text, verdict(definition.target, judged),
        ]
    }

    private static func verdict(_ target: Target, _ judged: Samples) -> String {
        switch target {
        case .none, .ratioTo: return "-"
        case .below, .above, .partOf, .atLeastPartOf: break
        }
        guard judged.spread <= greatestSpread else {
            if target.isMet(by: judged.least), target.isMet(by: judged.greatest) {
                return "not measurable here (but met in every round)"
            }
            return "not measurable here"
        }
        return target.isMet(by: judged.median) ? "met" : "NOT met"
    }

    private static func percent(_ value: Double) -> String {
        "\(Figure.fixed(value, 0)) %"
    }

    /// A row of a table that is aligned for people and legal Markdown.
    private static func row(_ cells: [String]) -> String {
        let widths = [52, 6, 12, 15, 7, 14, 20, 0]
        return "| "
            + zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }.joined(separator: " | ") + " |"
    }

    private static func read(_ path: String) throws(BenchError) -> String {
        do throws(ArchiveSource.Failure) {
            let source = try ArchiveSource(path: path)
            var bytes: [UInt8] = []
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
            defer { unsafe buffer.deallocate() }
            while case let got = unsafe try source.read(into: buffer), got > 0 {
                unsafe bytes.append(contentsOf: buffer[..<got])
            }
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .file(path: path, number: error.number)
        }
    }
}
