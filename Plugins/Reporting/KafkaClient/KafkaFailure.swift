internal import CRdKafka

/// Why Kafka, or librdkafka, did not do what was asked.
package struct KafkaFailure: Error, Equatable, CustomStringConvertible {
    /// librdkafka's number for it; 0 when there is none.
    package let code: Int32
    /// What went wrong, in one line.
    package let description: String

    /// A reason in words of one's own.
    package init(_ description: String) { (code, self.description) = (0, description) }

    /// A reason by librdkafka's number, in its words unless others are given.
    init(_ code: rd_kafka_resp_err_t, _ text: String? = nil) {
        self.code = code.rawValue
        unsafe description = text ?? String(cString: rd_kafka_err2str(code))
    }

    /// Lets librdkafka write a text of so many bytes, and reads it.
    static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
            unsafe text.initialize(repeating: 0)
            guard let start = text.baseAddress else { return "" }
            unsafe write(start, text.count)
            return unsafe String(cString: start)
        }
    }
}
