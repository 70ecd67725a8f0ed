package import PluginKit

/// Writes outputs as newline-delimited JSON to a file or to standard output.
package final class JSONLinesReporter: Reporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.jsonlines",
        name: "JSON lines",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"""
            {"type":"object","additionalProperties":false,"properties":{
            "path":{"type":"string","minLength":1,"description":"file to write, or - for standard output"},
            "events":{"type":"boolean","default":false,"description":"write player events, sessions and runs"},
            "records":{"type":"boolean","default":true,"description":"write records"},
            "beacons":{"type":"boolean","default":true,"description":"write beacons"},
            "append":{"type":"boolean","default":false,"description":"keep what the file holds already"}}}
            """#
    )

    private let host: ReporterHost
    private let buffer = ByteBuffer(capacity: 2 * JSONLinesReporter.writeSize)
    private var file = OutputFile(path: "-", keepsContent: true)
    package private(set) var wants: OutputKinds = .gaps
    private var delivered: UInt64 = 0
    private var dropped: UInt64 = 0

    /// Bytes that are written in one go.
    private static let writeSize = 64 * 1024

    package init(host: ReporterHost) {
        self.host = host
    }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        let path = try configuration.text("path", default: "-")
        guard !path.isEmpty else {
            throw .unusable(key: "path", value: "\"\"", expected: "a file's path, or - for standard output")
        }
        file = OutputFile(path: path, keepsContent: try configuration.flag("append", default: false))
        if try configuration.flag("events", default: false) { wants.formUnion([.events, .sessions, .runs]) }
        if try configuration.flag("records", default: true) { wants.insert(.records) }
        if try configuration.flag("beacons", default: true) { wants.insert(.beacons) }
    }

    package func enable() throws(ReporterFault) {
        do throws(OutputFileError) {
            try file.open()
        } catch {
            throw ReporterFault(error.description)
        }
    }

    package func take(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        let mark = file.mark
        do throws(OutputFileError) {
            var written: UInt64 = 0
            for output in outputs {
                guard let kind = output.kind, wants.contains(OutputKinds(kind)) else { continue }
                OutputLine.append(output, to: buffer)
                written += 1
                if buffer.count >= Self.writeSize { try writeBuffer() }
            }
            try writeBuffer()
            delivered += written
            return outputs.count
        } catch {
            buffer.removeAll()
            file.rollBack(to: mark)
            dropped += UInt64(outputs.count)
            throw ReporterFault("\(error); \(outputs.count) outputs are lost")
        }
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: dropped)
        delivered = 0
        dropped = 0
    }

    package func disable() {
        do throws(OutputFileError) {
            try file.close()
        } catch {
            host.log(.error, error.description)
        }
    }

    private func writeBuffer() throws(OutputFileError) {
        try file.write(buffer)
        buffer.removeAll()
    }
}
