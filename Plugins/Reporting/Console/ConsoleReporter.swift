internal import Glibc
package import PluginKit

/// Writes one aligned line for each output, for people who watch.
package final class ConsoleReporter: Reporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.console",
        name: "Console",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: ConsoleConfiguration.schemaText,
        traits: .streams
    )

    private let host: ReporterHost
    private var line = ConsoleLine(selection: .first(4))
    private var descriptor = STDERR_FILENO
    package private(set) var wants: OutputKinds = [.records, .beacons, .sessions, .runs, .gaps]
    private var delivered: UInt64 = 0
    private var dropped: UInt64 = 0

    package init(host: ReporterHost) { self.host = host }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        let configuration = try ConsoleConfiguration(reading: configuration)
        line = ConsoleLine(selection: configuration.attributes)
        if configuration.events { wants.insert(.events) }
        descriptor = configuration.destination == .stdout ? STDOUT_FILENO : STDERR_FILENO
    }

    package func enable() {
        let refusesColour = unsafe getenv("NO_COLOR").map { unsafe strlen($0) > 0 } ?? false
        line.hasColour = isatty(descriptor) == 1 && !refusesColour
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        var text = ""
        for output in outputs {
            guard let kind = output.kind, wants.contains(OutputKinds(kind)) else { continue }
            line.append(output, to: &text)
        }
        let failure = write(text)
        guard failure == 0 else {
            dropped += UInt64(outputs.count)
            let reason = unsafe strerror(failure).map { unsafe String(cString: $0) } ?? "error \(failure)"
            let place = descriptor == STDOUT_FILENO ? "standard output" : "standard error"
            throw ReporterFault("cannot write to \(place): \(reason) (errno \(failure)); set \"to\" to the other one")
        }
        delivered += UInt64(outputs.count)
        return outputs.count
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: dropped)
        delivered = 0
        dropped = 0
    }

    /// Writes all of the text; gives the error's number, or 0.
    private func write(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = unsafe Glibc.write(
                    descriptor,
                    bytes.baseAddress.map { unsafe $0 + done },
                    bytes.count - done
                )
                if count > 0 {
                    done += count
                } else if errno == EAGAIN {
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&request, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }
}

/// What the reporter is configured with.
struct ConsoleConfiguration: DeclaredConfiguration {
    /// Where the lines go.
    enum Destination: String, CaseIterable {
        case stderr, stdout
    }

    var attributes = AttributeSelection.first(4)
    var events = false
    var destination = Destination.stderr

    static let keys = [
        Key(
            "attributes",
            \.attributes,
            AttributeSelection.form,
            "Names of the attributes to show, in this order, or `\"all\"`; without it the first four."
        ),
        Key("events", \.events, .flag, "Show player events too."),
        Key("to", \.destination, .word, "Where the lines go."),
    ]
}

/// Which attributes of an output are shown.
enum AttributeSelection {
    /// All of them.
    case all
    /// The first ones, as many.
    case first(Int)
    /// Those with these names, in this order.
    case named([String])

    /// A list of names, or `all`.
    static let form = ConfigurationForm<AttributeSelection>(
        ["type": ["array", "string"], "items": ["type": "string"]]
    ) { value, key throws(ConfigurationError) in
        if value == "all" { return .all }
        guard let names = value.array else {
            throw .unusable(key: key, value: value.canonicalText, expected: "a list of names, or \"all\"")
        }
        let texts = names.compactMap(\.string)
        guard texts.count == names.count else {
            throw .unusable(key: key, value: "a list with more than names", expected: "a list of strings")
        }
        return .named(texts)
    }

    /// The attributes of a list that are shown.
    func pick(from attributes: AttributeList) -> [AttributeView] {
        switch self {
        case .all: Array(attributes)
        case .first(let count): Array(attributes.prefix(count))
        case .named(let names): names.compactMap { name in attributes.first { $0.name == name } }
        }
    }
}
