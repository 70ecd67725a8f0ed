import Testing
import TextEncoding

struct DigestTests {
    @Test(
        "MD5 gives the digests of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ]
    )
    func md5(text: String, digest: String) {
        #expect(MD5.hex(of: text) == digest)
    }

    @Test(
        "SHA-256 gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
    )
    func sha256(text: String, digest: String) {
        #expect(SHA256.hex(of: text) == digest)
    }

    @Test("The way the input is cut does not change a digest", arguments: [0, 1, 54, 55, 56, 57, 63, 64, 65, 127, 300])
    func pieces(length: Int) {
        let input = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var wholeMD5 = MD5()
        wholeMD5.update(input)
        let expectedMD5 = wholeMD5.finalize()
        var wholeSHA = SHA256()
        wholeSHA.update(input)
        let expectedSHA = wholeSHA.finalize()
        for piece in [1, 3, 64, 65] {
            var md5 = MD5()
            var sha256 = SHA256()
            for start in stride(from: 0, to: length, by: piece) {
                md5.update(Array(input[start..<min(start + piece, length)]))
                sha256.update(Array(input[start..<min(start + piece, length)]))
            }
            #expect(md5.finalize() == expectedMD5)
            #expect(sha256.finalize() == expectedSHA)
        }
    }
}
