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
    internal var folder: String {
        switch self {
        case .file(let path, _): PathName.folder(of: path)
        case .commandLine: ""
        }
    }
}
