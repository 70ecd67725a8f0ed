internal import Isolation
internal import Tally
internal import TextEncoding

/// The configuration that a host works with: each value with its place, and what cannot work.
package struct EffectiveConfiguration: Sendable, Equatable {
    /// The values, in a fixed order.
    package let settings: [EffectiveSetting]
    /// Set-ups that cannot work, one sentence each.
    package let warnings: [String]

    /// Looks at a setup.
    ///
    /// - Parameters:
    ///   - setup: what the host has read.
    ///   - options: what the host's own options say; an option with a configuration's key goes before it.
    ///   - canEnable: whether something could enable a plugin while the host runs.
    package init(_ setup: HostSetup, options: [EffectiveSetting] = [], canEnable: Bool) {
        let given = options.map(\.key)
        let secrets = SecretSettings(among: setup.own)
        settings = (Self.settings(of: setup).filter { !given.contains($0.key) } + options).map {
            let value = secrets.shown($0.value, at: $0.key)
            return EffectiveSetting($0.key, HiddenPassword.hidden(value), HiddenPassword.hidden($0.place))
        }
        warnings = SetupWarnings(setup: setup, options: options, canEnable: canEnable).texts.map {
            HiddenPassword.hidden(words: $0)
        }
    }

    /// One line a value, then the warnings.
    package func text(on terminal: Terminal) -> String {
        let rows = settings.map { [$0.key, "=", $0.value.canonicalText, "(\($0.place))"] }
        var lines = [terminal.styled("Effective configuration:", .bold)]
        lines += TextTable.aligned(rows).map { "  " + $0 }
        lines += ["", terminal.styled("What cannot work:", .bold)]
        lines += warnings.isEmpty ? ["  nothing was found"] : warnings.map { "  " + PrintableText.escaped($0) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same as one line of JSON.
    package var json: String {
        let value: JSONValue = [
            "settings": .array(
                settings.map { ["key": .string($0.key), "value": $0.value, "from": .string($0.place)] }
            ),
            "warnings": .array(warnings.map { .string($0) }),
        ]
        return PrintableText.json(value) + "\n"
    }

    // MARK: - Parts

    private static func settings(of setup: HostSetup) -> [EffectiveSetting] {
        let configuration = setup.configuration
        let places = configuration.places
        var settings: [EffectiveSetting] = []
        func add(_ key: String, _ value: JSONValue, isGiven: Bool) {
            settings.append(EffectiveSetting(key, value, isGiven ? places.place(of: key).description : "default"))
        }
        for plugin in configuration.plugins {
            let path = "plugins." + plugin.name
            add(path + ".plugin", .string(plugin.pluginID), isGiven: true)
            let isGiven = !plugin.enabled || places.has(path + ".enabled")
            add(path + ".enabled", .bool(plugin.enabled), isGiven: isGiven)
            let isRequired = setup.isRequired(plugin)
            add(path + ".required", .bool(isRequired), isGiven: plugin.required != nil)
            let found = setup.catalog.plugin(named: plugin.pluginID)
            if plugin.isolation != nil || configuration[HostSettings.isolate] && found?.kind != .reporter {
                let isolation = plugin.isolation ?? .process
                add(path + ".isolation", .string(isolation.rawValue), isGiven: plugin.isolation != nil)
            }
            if let allowance = setup.allowance(of: plugin) {
                let words = JSONValue.array(allowance.words.map { .string($0) })
                settings.append(EffectiveSetting(path + ".isolation.allows", words, "its plugin"))
            }
            let schema = found?.configurationSchema.flatMap { try? ConfigSchemaCheck(text: $0) }
            let config = schema?.fillingDefaults(in: plugin.config) ?? plugin.config
            settings += leaves(config, given: plugin.config, path + ".config", places)
            for file in found?.sharedConfiguration ?? [] where setup.sharedFiles[file] != nil {
                let key = "\(path).config.\(SharedFile.member(of: file))"
                settings.append(EffectiveSetting(key, .string("the file \(file)"), "its plugin"))
            }
            for block in found?.sharedConfiguration ?? [] where plugin.config[block] == nil {
                guard configuration.shared[block] != nil else { continue }
                let place = places.place(of: "shared." + block).description
                settings.append(
                    EffectiveSetting("\(path).config.\(block)", .string("the block shared.\(block)"), place)
                )
            }
        }
        for setting in HostSettings.keys.map(\.declaration) {
            guard let key = setting.key, key != HostSettings.instances.declaration.key,
                setup.section == .player || key != HostSettings.recovers.declaration.key
            else { continue }
            let value = JSONValue.object(configuration.value).value(at: key)
            switch value ?? setting.fallback ?? .null {
            case .object(let parts):
                for part in parts {
                    if let rules = part.value.array {
                        for (index, rule) in rules.enumerated() {
                            add("\(key).\(part.key).\(index)", rule, isGiven: true)
                        }
                    } else {
                        settings += leaves(part.value, given: part.value, "\(key).\(part.key)", places)
                    }
                }
            case .null where setting.form["type"] == "object": break
            case let plain:
                let place = value == nil ? "default" : places.place(of: key).description
                settings.append(EffectiveSetting(setting.explainedKey, plain, place))
            }
        }
        let form =
            ConfigurationFile.schema(of: setup.own)["properties"]?[setup.section.rawValue]?.object ?? JSONObject()
        let own = ConfigSchemaCheck(form).fillingDefaults(in: .object(setup.settings))
        settings += leaves(own, given: .object(setup.settings), setup.section.rawValue, places)
        return settings
    }

    /// The parts of a value that have no parts, by their paths.
    private static func leaves(
        _ value: JSONValue,
        given: JSONValue?,
        _ path: String,
        _ places: ConfigurationPlaces
    ) -> [EffectiveSetting] {
        guard let members = value.object, !members.isEmpty else {
            if value.object != nil { return [] }
            return [EffectiveSetting(path, value, given == nil ? "default" : places.place(of: path).description)]
        }
        return members.flatMap { leaves($0.value, given: given?[$0.key], path + "." + $0.key, places) }
    }
}

extension CommandLineArguments {
    /// The operands and options that were given, as an explanation shows them, but not those of the call alone.
    package var explained: [EffectiveSetting] {
        var settings: [EffectiveSetting] = []
        if let name = syntax.operands?.name, let first = operands.first {
            let value: JSONValue = operands.count > 1 ? .array(operands.map { .string($0) }) : .string(first)
            settings.append(EffectiveSetting(name.lowercased(), value, name))
        }
        let ofCall = HostSettings.options.map(\.declaration.name)
        for option in syntax.options where !ofCall.contains(option.name) {
            let values = (texts[option.name] ?? []).compactMap { try? option.check($0) }
            guard let last = values.last else { continue }
            let value = option.isRepeatable ? .array(values) : last
            settings.append(EffectiveSetting(option.explainedKey, value, "--" + option.name))
        }
        return settings
    }
}
