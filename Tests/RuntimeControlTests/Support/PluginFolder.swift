import Glibc
import TallyTesting
import TestFiles
import Testing

/// A folder of a test's own with plugin files that are made there; removed with this object.
final class PluginFolder {
    private let folder = TemporaryFolder()

    /// The folder's path.
    var path: String { folder.path }

    func file(_ name: String) -> String {
        folder.file(name)
    }

    /// Makes a file of the patched fixture that does what `mode` says; `number` makes its hash another one.
    @discardableResult
    func make(_ name: String, mode: String = "good", number: Int = 0) throws -> String {
        write(try Self.patched(mode: mode, number: number), to: name)
    }

    /// The bytes of the patched fixture; its mode lies behind a mark.
    static func patched(mode: String, number: Int = 0) throws -> [UInt8] {
        var bytes = try TestFile.bytes(PluginFiles.fixture("patched"))
        let mark = Array("TALLY-FIXTURE-MODE:".utf8)
        let place = try #require(
            bytes.indices.first { index in
                bytes[index] == mark[0] && bytes[index...].starts(with: mark)
            }
        )
        let text = Array(mode.utf8) + [0]
        bytes.replaceSubrange(place + mark.count..<place + mark.count + text.count, with: text)
        // What lies behind the end of a library is not looked at.
        return bytes + Array("\(number)".utf8)
    }

    /// Writes a file under another name and renames it into place, as installers do.
    @discardableResult
    func install(_ bytes: [UInt8], as name: String) throws -> String {
        let temporary = write(bytes, to: name + ".part")
        try #require(unsafe rename(temporary, file(name)) == 0)
        return file(name)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) -> String {
        folder.write(name, bytes: bytes)
    }
}
