internal import PluginKit

/// Counts requests and measures throughput and latency.
struct RequestMeter {
    private var count: Int64 = 0
    /// Those that failed.
    private var failed: Int64 = 0
    /// Those that were given up.
    private var cancelled: Int64 = 0
    /// The lowest throughput, bit/s.
    private var lowestThroughput: Int64?
    /// The longest time to the first byte, ms.
    private var longestLatency: Int64?
    private var bytes: Int64 = 0
    private var loading: Int64 = 0
    private var latency: Int64 = 0
    private var latencies: Int64 = 0

    /// A request of so many bytes was answered; without its first byte, throughput counts from the start; ms.
    mutating func completed(start: Int64?, firstByte: Int64?, end: Int64, bytes: Int64?) {
        count += 1
        if let start, let firstByte, firstByte >= start {
            longestLatency = max(longestLatency ?? 0, firstByte - start)
            latency += firstByte - start
            latencies += 1
        }
        guard let from = firstByte ?? start, let bytes, bytes > 0, bytes < Self.mostBytes, end > from else { return }
        let throughput = bytes * 8000 / (end - from)
        lowestThroughput = min(lowestThroughput ?? throughput, throughput)
        self.bytes += bytes
        loading += end - from
    }

    mutating func requestFailed() {
        count += 1
        failed += 1
    }

    /// A request was given up.
    mutating func requestCancelled() {
        count += 1
        cancelled += 1
    }

    /// Puts the figures into the fields of the view.
    func write(to fields: inout FieldValues) {
        guard count > 0 else { return }
        fields.set(.viewRequestCount, count)
        if failed > 0 { fields.set(.viewRequestFailedCount, failed) }
        if cancelled > 0 { fields.set(.viewRequestCanceledCount, cancelled) }
        fields.set(.viewMinRequestThroughput, ifKnown: lowestThroughput)
        fields.set(.viewAverageRequestThroughput, ifKnown: averageThroughput)
        fields.set(.viewMaxRequestLatency, ifKnown: longestLatency)
        fields.set(.viewAverageRequestLatency, ifKnown: latencies > 0 ? latency / latencies : nil)
    }

    /// Bits by time of all answers, bit/s.
    private var averageThroughput: Int64? { loading > 0 ? Int64(Double(bytes) / Double(loading) * 8000) : nil }

    /// An answer is smaller than this: a petabyte.
    private static let mostBytes: Int64 = 1 << 50
}
