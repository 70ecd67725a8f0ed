internal import Metrics
internal import PluginKit

/// Writes what was counted, in OpenMetrics or in Prometheus's older text form.
struct ExpositionText {
    /// The forms that Prometheus takes.
    enum Form {
        case openMetrics
        case text

        /// The one that fits the header `Accept` of a request.
        init(accepting accepted: String?) {
            self = accepted?.contains("application/openmetrics-text") == true ? .openMetrics : .text
        }

        /// What the answer calls it.
        var type: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .text: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    private let form: Form
    private let exemplars: Bool
    /// When counting began, seconds since 1970.
    private let begun: Double
    private let buffer = ByteBuffer(capacity: 65_536)

    init(_ form: Form, exemplars: Bool, begun: Double) {
        self.form = form
        self.exemplars = exemplars && form == .openMetrics
        self.begun = begun
    }

    /// What was written, with what ends it.
    var bytes: [UInt8] {
        if form == .openMetrics { buffer.append("# EOF\n") }
        return buffer.bytes
    }

    /// A gauge, or with `isCounter` a counter, of rows with their labels.
    func simple(
        _ name: String,
        isCounter: Bool = false,
        _ meaning: String,
        _ rows: [(labels: [(String, String)], value: Double)]
    ) {
        begin(name, isCounter ? "counter" : "gauge", unit: "", meaning)
        for row in rows {
            sample(isCounter ? "\(name)_total" : name, row.labels, row.value)
            if isCounter { created(name, row.labels) }
        }
    }

    /// Everything that was counted of sessions.
    func add(_ exposition: Exposition) {
        let keys = exposition.series.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for (place, family) in MetricFamily.all.enumerated() {
            begin(family.name, family.kindName, unit: family.unit, family.metric.meaning)
            for key in keys {
                guard let counted = exposition.series[key]?[place] else { continue }
                let labels = Array(zip(exposition.labels, key))
                if case .histogram(let bounds) = family.kind {
                    histogram(family.name, labels, bounds, counted)
                } else {
                    sample("\(family.name)_total", labels, counted.sum)
                    created(family.name, labels)
                }
            }
        }
    }

    private func histogram(
        _ name: String,
        _ labels: [(String, String)],
        _ bounds: [Double],
        _ counted: Exposition.Counted
    ) {
        var count: UInt64 = 0
        for (place, number) in counted.buckets.enumerated() {
            count += number
            let bound = place < bounds.count ? Self.number(bounds[place]) : "+Inf"
            let exemplar = exemplars ? counted.exemplars[place] : nil
            sample("\(name)_bucket", labels + [("le", bound)], Double(count), exemplar)
        }
        sample("\(name)_sum", labels, counted.sum)
        sample("\(name)_count", labels, Double(count))
        created(name, labels)
    }

    private func begin(_ name: String, _ kind: String, unit: String, _ meaning: String) {
        // The older form has the counter's own name.
        let family = form == .text && kind == "counter" ? "\(name)_total" : name
        buffer.append("# HELP \(family) \(Self.escaped(meaning, quotes: form == .openMetrics))\n")
        buffer.append("# TYPE \(family) \(kind)\n")
        if form == .openMetrics, !unit.isEmpty { buffer.append("# UNIT \(family) \(unit)\n") }
    }

    private func created(_ name: String, _ labels: [(String, String)]) {
        if form == .openMetrics { sample("\(name)_created", labels, begun) }
    }

    private func sample(
        _ name: String,
        _ labels: [(String, String)],
        _ value: Double,
        _ exemplar: Exposition.Exemplar? = nil
    ) {
        buffer.append(name)
        append(labels)
        buffer.append(" \(Self.number(value))")
        // A name that is longer than an exemplar may be is none.
        if let exemplar, exemplar.run.utf8.count <= 120 {
            buffer.append(" # ")
            append([("run", exemplar.run)])
            buffer.append(" \(Self.number(exemplar.value)) \(Self.number(exemplar.time))")
        }
        buffer.append("\n")
    }

    private func append(_ labels: [(String, String)]) {
        guard !labels.isEmpty else { return }
        buffer.append("{")
        for (place, label) in labels.enumerated() {
            buffer.append(place == 0 ? "" : ",")
            buffer.append("\(label.0)=\"\(Self.escaped(label.1, quotes: true))\"")
        }
        buffer.append("}")
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        if quotes { escaped = escaped.replacing("\"", with: "\\\"") }
        return escaped
    }

    /// A number, whole where it is.
    static func number(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return "\(Int64(value))" }
        return "\(value)"
    }
}
