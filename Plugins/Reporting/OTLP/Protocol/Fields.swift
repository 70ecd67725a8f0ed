// The messages of opentelemetry-proto 1.x that are sent, as far as they are: docs/media-semantics.md says what is in
// them. Names are those of the messages there.

enum ExportFields {
    /// The only field of each of the three requests.
    static let logs = Field(1, "resourceLogs")
    static let spans = Field(1, "resourceSpans")
    static let metrics = Field(1, "resourceMetrics")
    static let resource = Field(1, "resource")
    static let scopeLogs = Field(2, "scopeLogs")
    static let scopeSpans = Field(2, "scopeSpans")
    static let scopeMetrics = Field(2, "scopeMetrics")
    static let scope = Field(1, "scope")
    static let logRecords = Field(2, "logRecords")
    static let spanList = Field(2, "spans")
    static let metricList = Field(2, "metrics")
}

enum ResourceFields {
    static let attributes = Field(1, "attributes")
}

enum ScopeFields {
    static let name = Field(1, "name")
    static let version = Field(2, "version")
    static let attributes = Field(3, "attributes")
}

enum KeyValueFields {
    static let key = Field(1, "key")
    static let value = Field(2, "value")
}

enum AnyValueFields {
    static let text = Field(1, "stringValue")
    static let truth = Field(2, "boolValue")
    static let integer = Field(3, "intValue")
    static let number = Field(4, "doubleValue")
    static let array = Field(5, "arrayValue")
    static let members = Field(6, "kvlistValue")
    static let bytes = Field(7, "bytesValue")
    /// Of an array, and of a list of members.
    static let values = Field(1, "values")
}

enum LogRecordFields {
    static let time = Field(1, "timeUnixNano")
    static let severity = Field(2, "severityNumber")
    static let severityText = Field(3, "severityText")
    static let body = Field(5, "body")
    static let attributes = Field(6, "attributes")
    static let trace = Field(9, "traceId")
    static let span = Field(10, "spanId")
    static let observed = Field(11, "observedTimeUnixNano")
    static let eventName = Field(12, "eventName")
}

enum SpanFields {
    static let trace = Field(1, "traceId")
    static let span = Field(2, "spanId")
    static let parent = Field(4, "parentSpanId")
    static let name = Field(5, "name")
    static let kind = Field(6, "kind")
    static let start = Field(7, "startTimeUnixNano")
    static let end = Field(8, "endTimeUnixNano")
    static let attributes = Field(9, "attributes")
    static let status = Field(15, "status")
}

enum StatusFields {
    static let message = Field(2, "message")
    static let code = Field(3, "code")
}

enum MetricFields {
    static let name = Field(1, "name")
    static let description = Field(2, "description")
    static let unit = Field(3, "unit")
    static let sum = Field(7, "sum")
    static let histogram = Field(10, "exponentialHistogram")
    /// Of a sum, and of a histogram.
    static let points = Field(1, "dataPoints")
    static let temporality = Field(2, "aggregationTemporality")
    static let isMonotonic = Field(3, "isMonotonic")
}

enum NumberPointFields {
    static let start = Field(2, "startTimeUnixNano")
    static let time = Field(3, "timeUnixNano")
    static let number = Field(4, "asDouble")
    static let integer = Field(6, "asInt")
    static let attributes = Field(7, "attributes")
}

enum HistogramPointFields {
    static let attributes = Field(1, "attributes")
    static let start = Field(2, "startTimeUnixNano")
    static let time = Field(3, "timeUnixNano")
    static let count = Field(4, "count")
    static let sum = Field(5, "sum")
    static let scale = Field(6, "scale")
    static let zeros = Field(7, "zeroCount")
    static let positive = Field(8, "positive")
    static let least = Field(12, "min")
    static let most = Field(13, "max")
    /// Of its buckets.
    static let offset = Field(1, "offset")
    static let counts = Field(2, "bucketCounts")
}
