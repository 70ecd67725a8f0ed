internal import Glibc
package import PluginKit

/// Writes outputs as newline-delimited JSON to a file or to standard output.
package final class JSONLinesReporter: CommandHandlingReporter, ReconfigurableReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.jsonlines",
        name: "JSON lines",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: JSONLinesConfiguration.schemaText,
        traits: .streams,
        writtenPaths: ["path"]
    )

    package static let commands = [
        CommandDescriptor("checkpoint", "How long the file is, once the disk has all of it.", changesState: false),
        CommandDescriptor(
            "resume",
            "Takes back what is behind such a length, before the file is opened.",
            changesState: true
        ),
    ]

    private let host: ReporterHost
    private let buffer = ByteBuffer(capacity: 2 * JSONLinesReporter.writeSize)
    private var settings = JSONLinesConfiguration()
    private var file = OutputFile(path: "-", keepsContent: true)
    private var finished: FinishedFiles?
    /// When the file was begun, s of the monotonic clock.
    private var begun: Int64 = 0
    /// Whether a file could not be put aside; said once.
    private var isStuck = false
    private var delivered: UInt64 = 0
    private var dropped: UInt64 = 0

    /// Bytes that are written in one go.
    private static let writeSize = 256 * 1024

    package init(host: ReporterHost) { self.host = host }

    package var wants: OutputKinds { settings.wants }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        let settings = try JSONLinesConfiguration(reading: configuration)
        let keepsContent = settings.keepsContent || host.goesOn
        file = OutputFile(path: settings.path, keepsContent: keepsContent, rotates: settings.rotation.isOn)
        self.settings = settings
    }

    package func reconfigure(_ configuration: JSONValue) throws(ConfigurationError) {
        let next = try JSONLinesConfiguration(reading: configuration)
        guard file.isOpen else {
            if next.path != settings.path { finished = nil }
            return try configure(configuration)
        }
        if next.path != settings.path {
            try change(to: next)
        } else {
            guard next.keepsContent == settings.keepsContent else {
                throw .unusable(
                    key: "append",
                    value: "\(next.keepsContent)",
                    expected:
                        "\(settings.keepsContent), as the file is open already; change it with \"path\", or start anew"
                )
            }
            if next.rotation.isOn {
                guard file.isRegular else { throw Self.notRegular(next.path) }
                finished = finished ?? FinishedFiles(path: next.path)
            }
        }
        settings = next
    }

    /// Goes on in another file; the old one goes on when that cannot be opened.
    private func change(to next: JSONLinesConfiguration) throws(ConfigurationError) {
        var other = OutputFile(path: next.path, keepsContent: next.keepsContent, rotates: next.rotation.isOn)
        do throws(OutputFileError) {
            try other.open()
        } catch {
            throw .unusable(key: "path", value: "\"\(next.path)\"", expected: "a file that can be written: \(error)")
        }
        disable()
        file = other
        finished = nil
        settings = next
        beginRotation()
    }

    private static func notRegular(_ path: String) -> ConfigurationError {
        .unusable(key: "path", value: "\"\(path)\"", expected: "an ordinary file, as the files are rotated")
    }

    package func enable() throws(ReporterFault) {
        do throws(OutputFileError) {
            try file.open()
        } catch {
            throw ReporterFault(error.description)
        }
        beginRotation()
    }

    private func beginRotation() {
        begun = Self.seconds()
        guard settings.rotation.isOn, finished == nil else { return }
        finished = FinishedFiles(path: settings.path)
        // What an earlier process left is finished as it is, and nothing of it is lost.
        if !settings.keepsContent, file.size > 0 { finishFile() } else { compressFinished() }
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        if settings.rotation.isDue(size: settings.rotation.isOn ? file.size : 0, age: Self.seconds() - begun) {
            finishFile()
        }
        let mark = file.mark
        do throws(OutputFileError) {
            var written: UInt64 = 0
            for output in outputs {
                guard let kind = output.kind, wants.contains(OutputKinds(kind)) else { continue }
                OutputLine.append(output, to: buffer, jsonBodies: settings.jsonBodies)
                written += 1
                if buffer.count >= Self.writeSize { try writeBuffer() }
            }
            try writeBuffer()
            if settings.sync == .batch { try file.synchronise() }
            delivered += written
            return outputs.count
        } catch {
            buffer.removeAll()
            file.rollBack(to: mark)
            dropped += UInt64(outputs.count)
            throw ReporterFault("\(error)")
        }
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: dropped)
        delivered = 0
        dropped = 0
    }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        guard command == "resume" else { return ["bytes": .int(Int64(try safeSize()))] }
        guard let size = arguments.value(at: "bytes")?.int, size >= 0 else {
            throw .argument(.unusable(key: "bytes", value: "nothing", expected: "how long the file is to be"))
        }
        file.resume(at: Int(size))
        return [:]
    }

    private func safeSize() throws(CommandError) -> Int {
        do throws(OutputFileError) {
            if let size = try file.safeSize() { return size }
        } catch {
            throw .refused(error.description)
        }
        throw .refused(
            "only a file that does not rotate can be; set \"path\" to one, without rotate_bytes and rotate_s"
        )
    }

    package func disable() {
        do throws(OutputFileError) {
            if settings.sync != .never { try file.synchronise() }
            try file.close()
        } catch {
            host.log(.error, error.description)
        }
    }

    private func writeBuffer() throws(OutputFileError) {
        try file.write(buffer)
        buffer.removeAll()
    }

    // MARK: - Rotation

    /// Puts the file aside and begins the next one; where that fails the file grows on, and nothing is lost.
    private func finishFile() {
        guard let name = finished?.next else { return }
        do throws(OutputFileError) {
            try file.finish(as: name, synchronised: settings.sync != .never)
            isStuck = false
        } catch {
            if !isStuck { host.log(.error, error.description) }
            isStuck = true
            guard case .close = error else { return }
        }
        begun = Self.seconds()
        finished?.add()
        compressFinished()
    }

    private func compressFinished() {
        guard let compression = settings.rotation.compression else { return }
        do throws(CompressionError) {
            try finished?.compress(compression)
        } catch {
            host.log(.warning, error.description)
        }
    }

    private static func seconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec)
    }
}
