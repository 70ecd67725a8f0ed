package import TextEncoding

/// Where a part of the configuration comes from.
package enum ConfigurationPlace: Sendable, Equatable, CustomStringConvertible {
    /// A place in a file.
    case file(path: String, position: JSONPosition)
    /// An option of the command line, as it was given.
    case commandLine(String)

    /// The place as messages begin with it: `tally.json5:3:14`.
    package var description: String {
        switch self {
        case .file(let path, let position): "\(path):\(position)"
        case .commandLine(let option): option
        }
    }

    /// The folder that relative paths at this place begin at; "" is the present folder.
    var folder: String {
        switch self {
        case .file(let path, _): PathName.folder(of: path)
        case .commandLine: ""
        }
    }
}

/// Where each key of a configuration comes from, by its dotted path.
package struct ConfigurationPlaces: Sendable, Equatable {
    let whole: ConfigurationPlace
    private(set) var places: [String: ConfigurationPlace] = [:]

    /// The place of a key, or of the nearest part around it that has one.
    package func place(of path: String) -> ConfigurationPlace {
        var rest = Substring(path)
        while true {
            if let place = places[String(rest)] { return place }
            guard let dot = rest.lastIndex(of: ".") else { return whole }
            rest = rest[..<dot]
        }
    }

    /// The option that set a key below the path which a text has in quotes, as messages of plugins do.
    ///
    /// Nil when none did.
    package func option(below path: String, namedIn text: String) -> ConfigurationPlace? {
        let named = places.filter { key, place in
            guard case .commandLine = place, key.hasPrefix(path + ".") else { return false }
            let name = "\"" + key.dropFirst(path.count + 1)
            return text.contains(name + "\"") || text.contains(name + ".")
        }
        return named.max { $0.key.count < $1.key.count }?.value
    }

    /// Whether the key itself has a place.
    package func has(_ path: String) -> Bool {
        places[path] != nil
    }

    /// Notes that everything at and below the path comes from one place.
    mutating func set(_ place: ConfigurationPlace, at path: String) {
        places = places.filter { !$0.key.hasPrefix(path + ".") }
        places[path] = place
    }

    /// Puts other places, which begin at the path, into these; the path itself keeps its own.
    mutating func insert(_ others: ConfigurationPlaces, at path: String) {
        for (key, place) in others.places where !key.isEmpty { places[keyPath(path, key)] = place }
    }

    /// Gives everything at and below a path another path.
    mutating func move(_ old: String, to new: String) {
        var moved: [String: ConfigurationPlace] = [:]
        for (key, place) in places {
            let isBelow = key == old || key.hasPrefix(old + ".")
            moved[isBelow ? new + key.dropFirst(old.count) : key] = place
        }
        places = moved
    }
}
