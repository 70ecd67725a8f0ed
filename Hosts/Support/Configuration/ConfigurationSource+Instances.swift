internal import TextEncoding

extension ConfigurationSource {
    /// Turns an array of plugin instances into an object of them by name, and the keys' places with it.
    mutating func nameInstances() throws(ConfigurationError) {
        liftFixed()
        guard let elements = value["plugins"]?.array else {
            for name in value["plugins"]?.object?.keys ?? [] {
                try check(name: name, at: places.place(of: "plugins." + name))
            }
            return
        }
        var instances = JSONObject()
        var namePlaces: [String: ConfigurationPlace] = [:]
        for (index, element) in elements.enumerated() {
            guard var members = element.object, let name = (members["name"] ?? members["plugin"])?.string else {
                continue
            }
            let place = places.place(of: "plugins.\(index)")
            try check(name: name, at: place)
            if let first = namePlaces[name] { throw .duplicateInstance(place, name: name, first: first) }
            namePlaces[name] = place
            members["name"] = nil
            instances[name] = .object(members)
        }
        // First to names that cannot be mistaken for an index, because an instance may be called "0".
        for index in elements.indices { places.move("plugins.\(index)", to: "plugins.\u{0}\(index)") }
        for (index, name) in instances.keys.enumerated() { places.move("plugins.\u{0}\(index)", to: "plugins.\(name)") }
        replace("plugins", with: .object(instances))
    }

    /// Puts `plugins.fixed`, which is no instance, beside the plugins.
    private mutating func liftFixed() {
        guard var members = value["plugins"]?.object, let fixed = members["fixed"], fixed.bool != nil else { return }
        members["fixed"] = nil
        replace("plugins", with: .object(members))
        replace("fixed", with: fixed)
        places.set(places.place(of: "plugins.fixed"), at: "fixed")
    }

    /// Puts the content of a file into the place of each shared block that names one.
    mutating func readSharedBlocks() throws(ConfigurationError) {
        guard var blocks = value["shared"]?.object else { return }
        for block in blocks {
            guard let name = block.value.string else { continue }
            let key = "shared." + block.key
            let path = located(name, at: key)
            let source = try ConfigurationSource.load(path, asObjectFor: key, namedAt: places.place(of: key))
            blocks[block.key] = source.value
            places.insert(source.places, at: key)
        }
        replace("shared", with: .object(blocks))
    }

    private func check(name: String, at place: ConfigurationPlace) throws(ConfigurationError) {
        let isUsable = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") }
        if name.isEmpty || name.utf8.count > 255 || !isUsable { throw .badInstanceName(place, name: name) }
    }

    /// Keeps the named instances, or all of a named plugin, in the order of the names; adds what is not there.
    mutating func choose(_ names: [String]) throws(ConfigurationError) {
        let present = value["plugins"]?.object ?? JSONObject()
        var chosen = JSONObject()
        for name in names {
            if let instance = present[name] {
                chosen[name] = instance
                continue
            }
            let ofPlugin = present.filter { ($0.value["plugin"]?.string ?? $0.key) == name }
            for member in ofPlugin { chosen[member.key] = member.value }
            if ofPlugin.isEmpty {
                let place = ConfigurationPlace.commandLine("--plugins \(name)")
                try check(name: name, at: place)
                chosen[name] = [:]
                places.set(place, at: "plugins." + name)
            }
        }
        replace("plugins", with: .object(chosen))
    }

    mutating func replace(_ key: String, with part: JSONValue) {
        var members = value.object ?? JSONObject()
        members[key] = part
        value = .object(members)
    }

    /// The configuration with the paths at some keys as seen from the present folder.
    func configuration(paths: [String]) -> HostConfiguration {
        var members = value.object ?? JSONObject()
        for key in paths {
            members = located(.object(members), key[...], of: key).object ?? members
        }
        return HostConfiguration(value: members, places: places)
    }

    /// The value with the texts at a path below it, or the elements there, as paths from the present folder.
    private func located(_ value: JSONValue, _ rest: Substring, of key: String) -> JSONValue {
        switch value {
        case .object(var members):
            let step = String(rest.prefix { $0 != "." })
            members[step] = members[step].map { located($0, rest.dropFirst(step.count + 1), of: key) }
            return .object(members)
        case .array(let elements): return .array(elements.enumerated().map { located($1, "", of: "\(key).\($0)") })
        case .string(let path): return .string(located(path, at: key))
        default: return value
        }
    }

    /// A path in the configuration is relative to the file that it stands in.
    private func located(_ path: String, at key: String) -> String {
        PathName.joined(places.place(of: key).folder, path)
    }
}
