import Testing
import TextEncoding

/// The plugin of version 1.0 that must load for ever, and the headers that it was built with.
struct FrozenPluginTests {
    private static let digests = [
        (
            "include-frozen/tally_base.h",
            "41707d1d05d5030c0786af9216dcd3fa453873d9024cd382075c32b7d50a1b57"
        ),
        (
            "include-frozen/tally_block.h",
            "b016ac600b766b94542d9eaa8ea54c90feb3680121e71a228026d7d1f66616d5"
        ),
        (
            "include-frozen/tally_control.h",
            "a06fa6176d57c3d1bca785adbcd04694c84d15e53db4e527d56fb04eb801355b"
        ),
        (
            "include-frozen/tally_output.h",
            "feb227c68b60386f107714538e97a54eba0742a327b47ad34f55759823acde8b"
        ),
        (
            "include-frozen/tally_plugin.h",
            "a4716dbe0bafccc439c73519cf5526522ae960ce18a0695399d234d27abd68a7"
        ),
        (
            "include-frozen/tally_reporter.h",
            "71013c1740c4793477578055b817b613dc3f1a27eec79b21a2b27852983ecd70"
        ),
        (
            "include-frozen/tally_tracker.h",
            "27cdb58960c73a0380a8feb365198df766c89700cdb972df1f90ac84f4c6ff2b"
        ),
        (
            "include-frozen/tally_vocabulary.h",
            "af5b7da2fce61a95f8a877ce7207d7414b2dc938868f9c50e060e3f3541e65b3"
        ),
        (
            "plugin.c",
            "9e58bbf446589f4aa87ca582e5f58250a8db961d9c00e22ee837c6b771c31c3d"
        ),
    ]

    @Test("The frozen plugin and its headers are never changed", arguments: digests)
    func unchanged(file: String, digest: String) throws {
        var digester = SHA256()
        digester.update(try SourceFile.bytes("Tests/Fixtures/FrozenV1/" + file))
        #expect(digester.finalize().map(hexadecimal).joined() == digest)
    }

    @Test("Every frozen file is watched")
    func complete() throws {
        let frozen = try SourceFile.names(in: "Tests/Fixtures/FrozenV1/include-frozen").map { "include-frozen/" + $0 }
        #expect((frozen + ["plugin.c"]).sorted() == Self.digests.map(\.0).sorted())
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        String([Hex.digit(byte >> 4), Hex.digit(byte & 15)].map { Character(Unicode.Scalar($0)) })
    }
}
