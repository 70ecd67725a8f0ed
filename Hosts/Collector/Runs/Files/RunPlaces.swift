internal import Glibc
internal import System
internal import TextEncoding

/// Where the files of runs lie: in `open` while they go on, in `ended` until they are in an archive.
struct RunPlaces: Sendable {
    /// The collector's folder.
    let folder: String
    private static let suffix = ".run"

    /// Makes the folders that are not there.
    func make() throws(SystemFailure) {
        var folders = ["", "/open", "/ended"]
        // A folder of tens of thousands of files is slow to search.
        folders += (0..<256).map { "/open/" + Hex.text([UInt8($0)]) }
        for name in folders {
            guard unsafe mkdir(folder + name, 0o700) == 0 || errno == EEXIST else { throw SystemFailure() }
        }
    }

    /// The file of an open run.
    func open(_ key: RunKey) -> String {
        let name = Self.name(of: key)
        return "\(folder)/open/\(name.prefix(2))/\(name)\(Self.suffix)"
    }

    /// No part of what a player says is in a path.
    private static func name(of key: RunKey) -> String {
        String(SHA256.hex(of: "\(key.tenant)\n\(key.form.rawValue)\n\(key.name)").prefix(40))
    }

    /// Moves the file of a run that is over to where the shelf finds it, and gives its path.
    func setAside(_ key: RunKey) -> String {
        let name = Self.name(of: key)
        var path = "\(folder)/ended/\(name)\(Self.suffix)"
        var number = 1
        while unsafe access(path, F_OK) == 0 {
            number += 1
            path = "\(folder)/ended/\(name)-\(number)\(Self.suffix)"
        }
        unsafe rename(open(key), path)
        return path
    }

    /// Keeps a file that is damaged beside its place, where nobody reads it, and gives its path.
    static func keepDamaged(_ path: String) -> String {
        unsafe rename(path, path + ".damaged")
        return path + ".damaged"
    }

    /// The files of open runs.
    func openFiles() -> [String] {
        (0..<256).flatMap { number in files(in: "\(folder)/open/" + Hex.text([UInt8(number)])) }
    }

    /// The files of runs that are over and in no archive yet.
    func endedFiles() -> [String] { files(in: "\(folder)/ended") }

    private func files(in folder: String) -> [String] {
        (FileNames.names(in: folder, endingWith: Self.suffix) ?? []).map { "\(folder)/\($0)" }
    }
}

/// The folder that a collector keeps everything in; one process at a time has it.
package final class CollectionFolder: Sendable {
    /// Its path.
    package let path: String
    private let lock: Int32

    /// Whether a collector has been at work in a folder: an empty one, and somebody else's, is none of its.
    package static func isUsed(_ path: String) -> Bool {
        ["lock", "journal", "runs", "archives"].contains { unsafe access("\(path)/\($0)", F_OK) == 0 }
    }

    /// Whether two paths lead to one folder.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Makes it when it is not there, for its owner alone, and keeps others out until this is gone.
    package init(_ path: String) throws(CollectionFailure) {
        self.path = path
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CollectionFailure(path: path, reason: "the folder cannot be made: \(SystemError.text(errno))")
        }
        lock = unsafe Glibc.open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else {
            throw CollectionFailure(path: path, reason: "the folder cannot be used: \(SystemError.text(errno))")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw CollectionFailure(path: path, reason: "another collector uses this folder: give each its own")
        }
    }

    deinit { close(lock) }
}

/// Why runs cannot be collected.
package struct CollectionFailure: Error, Equatable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// What is wrong with it.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}
