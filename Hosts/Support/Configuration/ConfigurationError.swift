package import TextEncoding

/// What is wrong with a configuration, and where.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// A file cannot be read; the place that names it, if it is not the command line.
    case unreadable(path: String, reason: String, namedAt: ConfigurationPlace?)
    /// A file is not JSON5.
    case syntax(path: String, JSONParseError)
    /// A key is missing, not known, or its value not what it must be.
    case form(ConfigurationPlace, SchemaViolation)
    /// Two plugin instances have the same name.
    case duplicateInstance(ConfigurationPlace, name: String, first: ConfigurationPlace)
    /// An instance name cannot be used.
    case badInstanceName(ConfigurationPlace, name: String)
    /// Files include one another in a circle.
    case includeCycle(ConfigurationPlace, files: [String])
    /// An object with `$file` has other keys too.
    case includeNotAlone(ConfigurationPlace, key: String)
    /// An override has no key, its value is broken, or it names an element that a list does not have.
    case badOverride(String, problem: String)
    /// An override is for an instance that is not configured.
    case unknownInstance(String, name: String, nearest: String?, known: [String])
    /// An override leads through a value that has no parts.
    case noParts(String, key: String, found: String)

    /// A file that plugins share lies in another place than it has to.
    case misplacedFile(String, path: String)
    /// A plugin is configured with what it gets from a file that plugins share.
    case sharedKey(ConfigurationPlace, key: String, path: String)

    /// A value has the right form and cannot be used.
    case unusable(ConfigurationPlace, key: String, problem: String)

    /// How the program ends then.
    package var exitCode: ExitCode {
        switch self {
        case .unreadable(_, _, nil): .noInput
        case .badInstanceName(.commandLine, _): .usage
        default: .badConfiguration
        }
    }

    /// Where, what and what to do, in one line.
    package var message: String {
        switch self {
        case .unreadable(let path, let reason, let place):
            return (place.map { "\($0): " } ?? "") + "cannot read the configuration file \(path): \(reason)"
        case .syntax(let path, let error): return "\(path):\(error)"
        case .form(let place, let violation): return "\(place): \(violation.message)"
        case .duplicateInstance(let place, let name, let first):
            return "\(place): the instance name \"\(name)\" is taken at \(first); give one of the two another \"name\""
        case .badInstanceName(let place, let name):
            return "\(place): the instance name \"\(name)\" cannot be used; "
                + "it needs 1 to 255 bytes, no control characters and no comma"
        case .includeCycle(let place, let files):
            return "\(place): these files include one another in a circle: \(files.joined(separator: " -> "))"
        case .includeNotAlone(let place, let key):
            return "\(place): an object with \"$file\" is replaced by that file; remove the key \"\(key)\" from it"
        case .badOverride(let option, let problem): return "\(option): \(problem)"
        case .unknownInstance(let option, let name, let nearest, let known):
            if let nearest { return "\(option): no plugin \"\(name)\" is configured; did you mean \"\(nearest)\"?" }
            let names = known.isEmpty ? "none is" : "configured: \(known.joined(separator: ", "))"
            return "\(option): no plugin \"\(name)\" is configured (\(names)); add it to the plugins first"
        case .misplacedFile(let file, let path):
            return "\(file): this file is read from \(path) in the folder of the configuration only; move it there"
        case .sharedKey(let place, let key, let path):
            return "\(place): \"\(key)\" comes from the file \(path) in the folder of the configuration only; "
                + "move it there and remove the key"
        case .unusable(let place, let key, let problem): return "\(place): \(key): \(problem)"
        case .noParts(let option, let key, let found):
            return "\(option): \"\(key)\" is \(found) and has no parts that could be set"
        }
    }
}
