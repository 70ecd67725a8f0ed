package import Tally
internal import TextEncoding

/// What a host's command line asks of plugins: `plugin list` and the like, with `--control` of a program that runs.
package enum PluginCommandLine {
    private static let control = Setting(
        "control",
        .text("PATH"),
        "Give the command to the program that listens on this control socket."
    )

    /// What the command line may say.
    package static func syntax(program: String) -> CommandLineSyntax {
        CommandLineSyntax(
            program: "\(program) plugin",
            summary:
                "Shows and tries plugins, and releases them from the quarantine; with --control, changes those of a "
                + "\(program) that runs.",
            operands: CommandLineSyntax.Operands(
                "COMMAND",
                minimum: 1,
                maximum: 4,
                help:
                    "list, show NAME, stats [NAME], release HASH; load FILE and replace FILE, which try a file as a run "
                    + "would take it; command NAME COMMAND [JSON], of a reporter that is configured. With --control also "
                    + "enable NAME, disable NAME, load PLUGIN [NAME] [JSON], and commands of trackers."
            ),
            settings: [
                control, HostSettings.plugins, HostSettings.pluginFolders, HostSettings.config, HostSettings.set,
                HostSettings.quiet, HostSettings.verbose, HostSettings.json,
            ],
            epilogue: """
                States: discovered (found and not used), rejected (cannot be used), quarantined (a process died in it),
                loaded (no instance is configured), enabled, disabled, failed, stuck (a call did not come back), missing
                (no file has the plugin of an instance), retired (a newer file took its place).
                """
        )
    }

    /// Does what was asked for; `judging` gives the exit code of what a plugin answered.
    package static func run(
        program: String,
        version: String,
        words: [String],
        section: HostSection,
        settings: [any DeclaredSetting],
        admission: PluginAdmission,
        judging: (JSONValue) -> ExitCode = { _ in .success }
    ) -> ExitCode {
        let syntax = syntax(program: program)
        let arguments = syntax.argumentsOrEnd(words, version: version)
        let log = LogPrinter(program: syntax.program, arguments: arguments)
        let order: PluginOrder
        do throws(ControlError) {
            order = try PluginOrder(ControlArguments("plugin", arguments.operands))
        } catch {
            log.show(.error, error.description)
            return .usage
        }
        let json = arguments[HostSettings.json]
        if let path = arguments[control] {
            return ControlCommandLine.run(syntax.program, path, ["plugin"] + arguments.operands, json: json)
        }
        do throws(HostError) {
            let setup = try HostSetup(
                arguments,
                section: section,
                settings: settings,
                searches: true,
                admission: admission
            )
            let reply = try setup.reply(to: order, log)
            switch reply {
            case .success(let data):
                let terminal = StandardStream.output.terminal
                let text = json ? PrintableText.json(data) + "\n" : ControlReplyText.text(reply, on: terminal)
                syntax.end(showing: text, judging(data["answer"] ?? .null))
            case .failure(let problem):
                log.show(.error, problem.description)
                return .difference
            }
        } catch {
            return log.report(error)
        }
    }
}

extension HostSetup {
    /// What plugins answer before anything runs: what changes an instance needs a run.
    fileprivate func reply(to order: PluginOrder, _ log: LogPrinter) throws(HostError) -> ControlReply {
        switch order {
        case .list: return .success(["plugins": .array(try pluginStatuses().map(\.json))])
        case .show(let name):
            let plugins = try pluginStatuses()
            let found = plugins.first { $0.name == name } ?? plugins.first { $0.plugin == name }
            guard let found else {
                return .failure(ControlError(noPlugin: name, among: plugins))
            }
            return .success(["plugin": PluginDetails.json(found, catalog)])
        case .stats(let name):
            let plugins = try pluginStatuses().filter { [.enabled, .disabled].contains($0.state) }
            let wanted = plugins.filter { name == nil || $0.name == name || $0.plugin == name }
            guard !wanted.isEmpty || name == nil else {
                return .failure(ControlError(noPlugin: name ?? "", among: plugins))
            }
            guard !wanted.isEmpty else {
                return .done("no instances are configured: choose plugins with --plugins", changed: false)
            }
            return .success(["plugins": .array(wanted.map(\.counts))])
        case .release(let hash):
            return try trying { telemetry throws(ControlError) in
                .released(try telemetry.release(sha256: hash))
            }
        case .loadFile(let file):
            return try trying { telemetry throws(ControlError) in
                let plugins = try telemetry.load(file: file)
                guard !plugins.isEmpty else { return .done("the very same file is found already", changed: false) }
                return Self.tried(plugins, "can be loaded; nothing was changed")
            }
        case .replace(let file):
            return try trying { telemetry throws(ControlError) in
                let plugins = try telemetry.replace(file: file)
                guard !plugins.isEmpty else { return .done("the very same file is found already", changed: false) }
                return Self.tried(plugins, "can replace the file that is found; nothing was changed")
            }
        case .command(let name, let command, let arguments):
            try check(configuration.plugins)
            return try trying(log) { telemetry throws(ControlError) in
                guard let answer = try telemetry.ask(name, command, arguments) else {
                    throw ControlError(
                        kind: .unavailable,
                        "\(name) is no reporter that is configured, and others need a run: choose it with --plugins, or "
                            + "name the control socket of a program that runs with --control"
                    )
                }
                return .success(["answer": answer])
            }
        default:
            return .failure(
                .unavailable,
                "this changes an instance, which needs a run: name its control socket with --control"
            )
        }
    }

    private static func tried(_ plugins: [PluginStatus], _ note: String) -> ControlReply {
        let names = plugins.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        return .success([
            "changed": false, "note": .string("\(names): \(note)"), "plugins": .array(plugins.map(\.json)),
        ])
    }

    /// Does something with the plugins as a run would have them, which is gone at the end.
    private func trying(
        _ log: LogPrinter? = nil,
        _ body: (Telemetry) throws(ControlError) -> ControlReply
    ) throws(HostError) -> ControlReply {
        let (telemetry, _) = try idleTelemetry(log)
        defer { telemetry.close() }
        do throws(ControlError) {
            return try body(telemetry)
        } catch {
            return .failure(error)
        }
    }

    /// The configured plugins, none at work, and those that are missing.
    private func idleTelemetry(
        _ log: LogPrinter? = nil
    ) throws(HostError) -> (telemetry: Telemetry, missing: [PluginStatus]) {
        var missing: [PluginStatus] = []
        var selections: [PluginSelection] = []
        for var selection in self.selections {
            if let error = catalog.absence(of: selection.plugin) {
                missing.append(PluginStatus(absent: selection, error))
                continue
            }
            selection.enabled = false
            // None is made here, so nothing of it is loaded either.
            selection.required = true
            selections.append(selection)
        }
        var options = Telemetry.Options()
        options.fixed = configuration.isFixed
        if let log { options.log = { log.write($0) } }
        do throws(TelemetryError) {
            return (try Telemetry(plugins: selections, catalog: catalog, options: options), missing)
        } catch {
            throw located(error)
        }
    }

    /// The plugins as a run that begins now would have them; no reporter is started for this.
    package func pluginStatuses() throws(HostError) -> [PluginStatus] {
        let (telemetry, missing) = try idleTelemetry()
        defer { telemetry.close() }
        let enabled = Set(configuration.plugins.filter(\.enabled).map(\.name))
        let found = telemetry.pluginStatuses().map { status in
            var status = status
            if status.state == .disabled, enabled.contains(status.name) { status.state = .enabled }
            return status
        }
        return missing
            + found.filter { status in
                status.file.isEmpty || !missing.contains { $0.file == status.file }
            }
    }
}
