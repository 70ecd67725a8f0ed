package import Coordinator
package import Tally
package import TextEncoding

/// The plugins without a run: `plugin list` and `plugin show NAME` on a host's command line.
package enum PluginCommandLine {
    /// What the command line may say.
    package static func syntax(program: String) -> CommandLineSyntax {
        CommandLineSyntax(
            program: "\(program) plugin",
            summary: "Shows the plugins that are found and configured, with their states and the reasons for them.",
            operands: CommandLineSyntax.Operands(
                "COMMAND",
                minimum: 1,
                maximum: 2,
                help: "list, or show NAME. What changes a plugin needs a run: see tally-player ctl."
            ),
            options: PluginOptions.all.filter { $0.name != "list-plugins" && $0.name != "explain" },
            epilogue: """
                States: discovered (found and not used), rejected (cannot be used), quarantined (a process died in it),
                loaded (no instance is configured), enabled, disabled, failed, retired (a newer file took its place).
                """
        )
    }

    /// Shows what was asked for.
    package static func run(
        program: String,
        version: String,
        words: [String],
        section: HostSection,
        schema: JSONObject,
        admission: PluginAdmission
    ) -> ExitCode {
        let syntax = syntax(program: program)
        let arguments = syntax.argumentsOrEnd(words, version: version)
        let log = LogPrinter(program: syntax.program, arguments: arguments)
        let order: PluginOrder
        do throws(ControlProblem) {
            order = try PluginOrder(ControlArguments("plugin", arguments.operands))
        } catch {
            log.show(.error, error.message)
            return .usage
        }
        do throws(HostError) {
            let setup = try HostSetup(arguments, section: section, schema: schema, searches: true, admission: admission)
            let reply = try setup.reply(to: order)
            let data: JSONValue
            switch reply {
            case .success(let answer): data = answer
            case .failure(let problem):
                log.show(.error, problem.message)
                return .difference
            }
            let text =
                arguments.isSet("json")
                ? data.canonicalText + "\n" : ControlReplyText.text(reply, on: StandardStream.output.terminal)
            syntax.end(showing: text)
        } catch {
            for message in error.messages {
                log.show(.error, message)
            }
            return error.exitCode
        }
    }
}

extension HostSetup {
    /// What is known of plugins before anything runs.
    fileprivate func reply(to order: PluginOrder) throws(HostError) -> ControlReply {
        let plugins = try pluginStatuses()
        switch order {
        case .list: return .success(["plugins": .array(plugins.map(\.json))])
        case .show(let name):
            let found = plugins.first { $0.name == name } ?? plugins.first { $0.plugin == name }
            guard let found else {
                return .failure(.unknownPlugin, "no plugin has the name \"\(name)\"; see plugin list")
            }
            return .success(["plugin": PluginDetails.json(found, catalog)])
        default:
            return .failure(
                .unavailable,
                "this needs a run: start tally-player with --control, and use tally-player ctl"
            )
        }
    }

    /// The plugins as a run that begins now would have them; no reporter is started for this.
    package func pluginStatuses() throws(HostError) -> [PluginStatus] {
        var missing: [PluginStatus] = []
        var selections: [PluginSelection] = []
        for var selection in self.selections {
            if let reason = catalog.reasonForMissing(selection.plugin) {
                var status = PluginStatus(name: selection.name, file: "", state: .rejected, reason: reason)
                status.plugin = selection.plugin
                missing.append(status)
                continue
            }
            selection.enabled = false
            selections.append(selection)
        }
        let telemetry: Telemetry
        do throws(TelemetryError) {
            telemetry = try Telemetry(plugins: selections, catalog: catalog)
        } catch {
            throw located(error)
        }
        defer { telemetry.close() }
        let enabled = Set(configuration.plugins.filter(\.enabled).map(\.name))
        let found = telemetry.pluginStatuses().map { status in
            var status = status
            if status.state == .disabled, enabled.contains(status.name) { status.state = .enabled }
            return status
        }
        return missing + found
    }
}
