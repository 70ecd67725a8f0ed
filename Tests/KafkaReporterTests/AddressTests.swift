import KafkaClient
import Testing

/// Addresses of topics.
@Suite("Addresses of topics")
struct AddressTests {
    @Test("Brokers, topic, run, file and properties are read of an address")
    func parts() throws {
        let address = try KafkaAddress("kafka://a:1,b:2/runs?run=r%201&config=/etc/x&security.protocol=ssl")
        #expect(address.brokers == "a:1,b:2")
        #expect(address.topic == "runs")
        #expect(address.run == "r%201")
        #expect(address.file == "/etc/x")
        #expect(address.properties.map(\.name) == ["security.protocol"])
        #expect(address.properties.map(\.value) == ["ssl"])
    }

    @Test(
        "What is no address is refused with the form of one",
        arguments: [
            "kafka://", "kafka://a", "kafka://a/", "kafka:///t", "kafka://a/t/u", "kafka://a/t?run", "http://a/t",
        ]
    )
    func refused(text: String) {
        #expect(throws: KafkaFailure.self) { try KafkaAddress(text) }
    }
}
