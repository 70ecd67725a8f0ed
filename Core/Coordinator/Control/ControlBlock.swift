package import EventModel
internal import PluginABI
package import PluginLoading
internal import TextEncoding

/// Control events as blocks, and what can be read from them again. [core]
@safe struct ControlBlock {
    /// Where they are written.
    let buffer: BlockBuffer

    /// How a tracker took another's place.
    enum Replacement: String {
        /// It had been told what the run was told so far, and went on with the open session.
        case replayed
        /// The session of the one before ended, and it began anew with a snapshot.
        case joined
    }

    /// Writes a control event that concerns `tracker`, dated `time`; throws when it is too large to be archived.
    ///
    /// `replacement` counts for a tracker that takes another's place.
    func write(
        _ control: ControlEvent,
        of tracker: TrackerInstance?,
        at time: Int64,
        replacement: Replacement = .replayed
    ) throws(PluginError) -> UnsafeMutablePointer<tally_event> {
        var writer = buffer.writer()
        unsafe writer.header.pointee.time_us = time
        var outcomes = [
            writer.set(.plugin, "plugin", .string(control.instance)),
            writer.set(.cause, "cause", .string(control.cause)),
        ]
        let description: PluginDescription?
        switch control.change {
        case .load(let setup), .replace(let setup): description = setup.entry.description
        default: description = tracker?.description
        }
        if let description {
            outcomes.append(writer.set(.pluginVersion, "plugin_version", .string(description.version)))
            outcomes.append(writer.set(.pluginSha256, "plugin_sha256", .string(description.sha256)))
        }
        switch control.change {
        case .enable, .disable: break
        case .configure(let configuration):
            outcomes.append(writer.set(.configuration, "configuration", .string(configuration)))
        case .command(let command, let arguments):
            outcomes.append(writer.set(.pluginCommand, "plugin_command", .string(command)))
            outcomes.append(writer.set(.pluginArguments, "plugin_arguments", .string(arguments)))
        case .load(let setup), .replace(let setup):
            outcomes.append(writer.set(.configuration, "configuration", .string(setup.configuration)))
            outcomes.append(writer.set(.pluginID, "plugin_id", .string(setup.entry.description.id)))
            outcomes.append(writer.set(.pluginEnabled, "plugin_enabled", .bool(setup.enabled)))
            if case .replace = control.change {
                let text = replacement.rawValue
                outcomes.append(writer.set(.pluginReplacement, "plugin_replacement", .string(text)))
            }
            if !setup.stored.isEmpty {
                outcomes.append(writer.set(.pluginStored, "plugin_stored", .string(StoredValues.text(setup.stored))))
            }
        }
        if let outcome = outcomes.first(where: { $0 != .written }) {
            throw .unarchivable(instance: control.instance, reason: outcome.description)
        }
        _ = writer.finish(type: control.type)
        return unsafe writer.header
    }

    /// How an event says that a tracker took another's place; nil in archives that do not say it.
    static func replacement(_ event: EventView) -> Replacement? {
        text(event, .pluginReplacement).flatMap(Replacement.init)
    }

    /// The tracker that an event makes of a plugin.
    static func setup(_ event: EventView, of plugin: RecordedPlugin, entry: PluginCatalog.Entry) -> TrackerSetup {
        var setup = TrackerSetup(
            name: plugin.instance,
            entry: entry,
            configuration: text(event, .configuration) ?? "{}",
            enabled: event.attributes[.pluginEnabled]?.bool ?? true
        )
        if let stored = text(event, .pluginStored), let object = (try? JSONParser().parse(stored))?.object {
            for member in object {
                setup.stored[member.key] = member.value.string
            }
        }
        return setup
    }

    /// An attribute's text, nil when it is absent.
    static func text(_ event: EventView, _ key: AttributeKey) -> String? {
        event.attributes[key]?.string?.string
    }

}

extension RecordedPlugin {
    /// The plugin that a control event names, nil when it names none.
    package init?(_ event: EventView) {
        guard let instance = ControlBlock.text(event, .plugin), let id = ControlBlock.text(event, .pluginID) else {
            return nil
        }
        self.init(
            instance: instance,
            id: id,
            version: ControlBlock.text(event, .pluginVersion) ?? "",
            sha256: ControlBlock.text(event, .pluginSha256) ?? ""
        )
    }
}
