import Kafka
import PluginKit
import TestFiles
import Testing

/// The plugin's page against the code.
@Suite("The page of the reporter kafka")
struct PageTests {
    @Test("It has every key of the schema")
    func keys() throws {
        let page = try TestFile.source("docs/plugins/kafka.md")
        let schema = try JSONParser().parse(KafkaReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 10)
        for key in keys where key != "retry" {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
    }
}
