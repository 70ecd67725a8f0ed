internal import EventModel
internal import HostSupport
internal import PluginABI
internal import TextEncoding

/// `tally-plugin inspect`: what a plugin is, of its file and of what it says itself.
enum InspectCommand {
    static let syntax = CommandLineSyntax(
        program: "tally-plugin inspect",
        summary: "Shows what a plugin's file exports and needs, and what its plugins say of themselves.",
        operands: CommandLineSyntax.Operands("FILE", minimum: 1, maximum: 1, help: "The plugin's file."),
        settings: [PluginOptions.json],
        epilogue: """
            The file's own part is read without running anything of it. For the rest the file is loaded in a process of its own,
            and its entry and descriptors are called; `get_extension` needs an instance, which is made and dropped there.
            Exit codes: 0 all is well, 64 wrong command line, 65 no plugin's file, 66 no such file, 74 an output cannot be written,
            75 the plugin cannot be asked.

            Example:
              tally-plugin inspect mine.tallyplugin.so
            """
    )

    /// Does what was asked.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        let path = try PluginOptions.file(arguments)
        let image: ElfImage
        do throws(ElfProblem) {
            image = try ElfImage(path: path)
        } catch {
            StandardStream.note("\(arguments.program): error: \(arguments.operands[0]): \(error.text)")
            return .badData
        }
        let folder = PluginProcess.folder()
        let answer = PluginProcess.ask(Subject(path: path)) { subject throws(Finding) in try PluginSummary.all(subject)
        }
        folder?.remove()
        let inspection = Inspection(path: arguments.operands[0], image: image, answer: answer)
        let text = arguments[PluginOptions.json] ? inspection.json : PluginOptions.printable(inspection.text)
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            return error.exitCode
        }
        guard case .failure(let finding) = answer else { return .success }
        StandardStream.note("\(arguments.program): error: \(arguments.operands[0]): \(finding.text)")
        return .pluginFailed
    }
}

/// What there is to show of a file.
private struct Inspection {
    let path: String
    let image: ElfImage
    let answer: Result<JSONValue, Finding>

    private var plugins: [JSONValue] { (try? answer.get())?.array ?? [] }

    var json: String {
        let value: JSONValue = [
            "file": .string(path), "bytes": .int(Int64(image.size)), "sha256": .string(image.sha256),
            "exports": .array(image.exports.map { .string($0) }), "needs": .array(image.needed.map { .string($0) }),
            "run_path": .string(image.runPath), "executable_stack": .bool(image.hasExecutableStack),
            "plugins": .array(plugins),
        ]
        return value.canonicalText + "\n"
    }

    var text: String {
        var lines = [
            "file         \(path)", "bytes        \(ReadableNumber.grouped(UInt64(image.size)))",
            "sha256       \(image.sha256)", "exports      \(image.exports.joined(separator: ", "))",
            "needs        \(image.needed.joined(separator: ", "))",
        ]
        if !image.runPath.isEmpty { lines.append("run path     \(image.runPath)") }
        if image.hasExecutableStack { lines.append("stack        executable") }
        return (lines + plugins.flatMap(Self.lines)).joined(separator: "\n") + "\n"
    }

    private static func lines(_ plugin: JSONValue) -> [String] {
        let texts = [
            ("plugin", plugin["id"]), ("kind", plugin["kind"]), ("name", plugin["name"]), ("vendor", plugin["vendor"]),
            ("version", plugin["version"]), ("headers", plugin["headers"]),
        ].map { "\($0.0.padded(to: 13))\($0.1?.string ?? "")" }
        let lists = [
            ("can", "capabilities"), ("requires", "requires"), ("offers", "offers"), ("events", "events"),
            ("shared", "shared_config"), ("stores", "store_keys"), ("reads", "read_paths"), ("writes", "written_paths"),
        ].compactMap { title, key -> String? in
            let words = (plugin[key]?.array ?? []).compactMap(\.string)
            return words.isEmpty ? nil : title.padded(to: 13) + words.joined(separator: ", ")
        }
        return [""] + texts + lists + ConfigurationKeys.lines(plugin["schema"]?.object)
    }
}

extension String {
    /// The text with spaces behind it up to a width.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}

/// The keys of a configuration as people read them, one a line.
private enum ConfigurationKeys {
    static func lines(_ schema: JSONObject?) -> [String] {
        guard let schema else { return ["configuration  none is declared"] }
        let keys = rows(schema, prefix: "")
        guard !keys.isEmpty else { return ["configuration  it takes none"] }
        let widths = (0..<3).map { column in keys.map { $0[column].count }.max() ?? 0 }
        return ["configuration"]
            + keys.map { row in
                "  " + (0..<3).map { row[$0].padded(to: widths[$0] + 2) }.joined() + row[3]
            }
    }

    /// Key, type, default and meaning of each member, those of objects inside too.
    private static func rows(_ schema: JSONObject, prefix: String) -> [[String]] {
        let required = (schema["required"]?.array ?? []).compactMap(\.string)
        return (schema["properties"]?.object ?? [:]).flatMap { member -> [[String]] in
            guard let form = member.value.object else { return [] }
            let fallback = required.contains(member.key) ? "required" : form["default"]?.canonicalText ?? ""
            let own = [prefix + member.key, type(form), fallback, form["description"]?.string ?? ""]
            return [own] + rows(form, prefix: "\(prefix)\(member.key).")
        }
    }

    private static func type(_ form: JSONObject) -> String {
        if let choices = form["enum"]?.array { return choices.map(\.canonicalText).joined(separator: " | ") }
        let names = (form["type"]?.array ?? [form["type"] ?? "any"]).compactMap(\.string).joined(separator: " or ")
        switch (form["minimum"]?.canonicalText, form["maximum"]?.canonicalText) {
        case (let least?, let most?): return "\(names) \(least) to \(most)"
        case (let least?, nil): return "\(names), \(least) or more"
        case (nil, let most?): return "\(names), \(most) or less"
        default: return names
        }
    }
}
