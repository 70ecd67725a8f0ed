internal import Glibc

/// Where a secret is: never in a configuration itself, nor on a command line.
public enum SecretPlace: Sendable, Equatable {
    /// A variable of the environment.
    case environment(String)
    /// A file that nobody but its owner can read.
    case file(String)

    /// Why a secret cannot be had; never the secret.
    public struct Failure: Error, Equatable, Sendable {
        /// What is wrong and what to do.
        public let description: String

        /// Says what is wrong.
        public init(description: String) {
            self.description = description
        }
    }

    /// The one of two keys that is given, `environment` or `file`; `path` is the object that they are in.
    ///
    /// - Throws: that none is, or both are.
    public init(environment: String, file: String, at path: String) throws(ConfigurationError) {
        switch (environment, file) {
        case (let variable, "") where !variable.isEmpty: self = .environment(variable)
        case ("", let path) where !path.isEmpty: self = .file(path)
        default: throw .either("environment", or: "file", areGiven: !file.isEmpty, at: path)
        }
    }

    /// Reads the secret; line breaks and spaces at its end do not belong to it.
    public func read() throws(Failure) -> [UInt8] {
        var bytes =
            switch self {
            case .environment(let variable): try Self.read(variable: variable)
            case .file(let path): try Self.read(file: path)
            }
        while let last = bytes.last, [0x0A, 0x0D, 0x20].contains(last) { bytes.removeLast() }
        return bytes
    }

    private static func read(variable: String) throws(Failure) -> [UInt8] {
        guard let value = unsafe getenv(variable) else {
            throw Failure(description: "the environment variable \(variable) is not set; set it")
        }
        return unsafe Array(String(cString: value).utf8)
    }

    private static func read(file path: String) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            let advice =
                switch number {
                case ENOENT, ENOTDIR: "write the secret to that file with mode 0600, or name another one"
                case EACCES, EPERM: "let the user that runs the program own it, or name another one"
                default: "name another file"
                }
            throw Failure(
                description: "cannot open '\(path)': \(unsafe String(cString: strerror(number))); \(advice)"
            )
        }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT != S_IFDIR else {
            throw Failure(description: "'\(path)' is a folder; name the file with the secret in it")
        }
        guard information.st_mode & 0o077 == 0 else {
            throw Failure(description: "'\(path)' can be read by others; run: chmod 600 '\(path)'")
        }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0, count < bytes.count else {
            throw Failure(description: "'\(path)' is empty or longer than 8 KiB")
        }
        return Array(bytes[..<count])
    }
}

/// Where a secret is, as a configuration says it: a variable of the environment, or a file.
public struct SecretSource: DeclaredConfiguration {
    private var environment = ""
    private var file = ""
    /// Where it is.
    public private(set) var place = SecretPlace.file("")

    /// Its keys.
    public static let keys = [
        Key("environment", \.environment, given, "Environment variable that holds it; either this or `file`."),
        Key("file", \.file, given, "File that holds it, which nobody but its owner can read (mode 0600)."),
    ]

    private static let given = ConfigurationForm.text.checked(["minLength": 1]).withoutShownDefault

    /// One of both without a place.
    public init() {}

    /// Finds out which of both is given.
    public mutating func validate(at path: String) throws(ConfigurationError) {
        place = try SecretPlace(environment: environment, file: file, at: path)
    }

    /// Reads the secret, which messages call by a name.
    ///
    /// - Throws: which secret cannot be had, and why; never the secret.
    public func read(_ name: String) throws(SecretPlace.Failure) -> String {
        do throws(SecretPlace.Failure) {
            return String(decoding: try place.read(), as: UTF8.self)
        } catch {
            throw SecretPlace.Failure(description: "the secret \"\(name)\": \(error.description)")
        }
    }
}
