import Testing
import TextEncoding

/// The plugin of version 1.0 that must load for ever, and the headers that it was built with.
struct FrozenPluginTests {
    private static let digests = [
        (
            "include-frozen/tally_base.h",
            "fa30819d0b5076989c057034e313457e90978d1dbb1cbe93abc963dbb5310c94"
        ),
        (
            "include-frozen/tally_block.h",
            "480857220a752253fd3535861240ee57c1fa4a95de9108f98e2ad13dac2991e3"
        ),
        (
            "include-frozen/tally_control.h",
            "827c2fc33f1a59717cb4fd0d8008591763b758d423a0125a0c84eb206ce41115"
        ),
        (
            "include-frozen/tally_output.h",
            "b9156efcaae697c711fdd5292f5aa96b33758f773da0d1b1093b85ca74fc07dc"
        ),
        (
            "include-frozen/tally_plugin.h",
            "4aed03800b6bbc8c7c1021b1e4d6609373e8b565bdc0f16f72acc76132b6d9c7"
        ),
        (
            "include-frozen/tally_reporter.h",
            "dc1f9c465df9f6abb0125dbdf1687a406da042d69b5621a10bf70535233ecd18"
        ),
        (
            "include-frozen/tally_tracker.h",
            "a9591f8b54d576beb7950fc70d647b2c04c2a9c3509301d1be6a24248118171c"
        ),
        (
            "include-frozen/tally_vocabulary.h",
            "39a1bad66f2b9786b7fe08b872df1a74514698ad435437ac2db95e71a23dde91"
        ),
        (
            "plugin.c",
            "9026c5e12f58b082640409d88c245a85bf9c434f21976abffd094d77c192d342"
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
