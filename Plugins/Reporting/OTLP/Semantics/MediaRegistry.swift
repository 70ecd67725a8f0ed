/// The tables of the registry's page, as the declarations have them.
package enum MediaRegistry {
    /// Lines of Markdown by the table's name.
    package static var tables: [(name: String, lines: [String])] {
        [("spans", spans), ("attributes", attributes), ("metrics", metrics)]
    }

    private static var spans: [String] {
        table(["Span", "From when to when"], SpanKind.allCases.map { ["`\($0.name)`", $0.course] })
    }

    private static var attributes: [String] {
        table(
            ["Attribute", "Type", "Unit", "Level", "On", "From", "Meaning"],
            MediaAttribute.all.map { attribute in
                [
                    "`\(attribute.name)`", attribute.kind.rawValue, attribute.unit, attribute.level.rawValue,
                    attribute.spans.map { "`\($0.name)`" }.joined(separator: ", "), attribute.source,
                    attribute.meaning,
                ]
            }
        )
    }

    private static var metrics: [String] {
        table(
            ["Metric", "Instrument", "Unit", "Of", "From", "Meaning"],
            MediaMetric.all.map { metric in
                [
                    "`\(metric.name)`", metric.isSum ? "sum" : "histogram", "`\(metric.unit)`", metric.population,
                    "`\(metric.source)`", metric.meaning,
                ]
            }
        )
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        func line(_ cells: [String]) -> String {
            "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
        }
        return [line(head), line(head.map { _ in "---" })] + rows.map(line)
    }
}
