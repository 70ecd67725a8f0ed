/// The SHA-256 digest of FIPS 180-4.
public struct SHA256: MessageDigest {
    private var state: InlineArray<8, UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private var block = DigestBlock()

    /// Makes a digest of nothing so far.
    public init() {}

    /// Takes in more bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes
        while unsafe block.fill(from: &rest) {
            compress()
        }
    }

    /// Takes in more bytes, whole blocks of them by a faster way.
    ///
    /// `blocks` is handed the eight words of the state, the bytes and the number of blocks of 64 bytes; when it gives
    /// false it has changed nothing, and they are worked in here.
    package mutating func update(
        _ bytes: UnsafeRawBufferPointer,
        blocks: (UnsafeMutablePointer<UInt32>, UnsafeRawPointer, Int) -> Bool
    ) {
        let count = block.isEmpty ? bytes.count / 64 : 0
        guard count > 0, let start = bytes.baseAddress else { return unsafe update(bytes) }
        let isDone = unsafe withUnsafeMutableBytes(of: &state) { state in
            unsafe blocks(state.assumingMemoryBound(to: UInt32.self).baseAddress.unsafelyUnwrapped, start, count)
        }
        guard isDone else { return unsafe update(bytes) }
        block.skip(64 &* count)
        unsafe update(UnsafeRawBufferPointer(rebasing: bytes[(64 &* count)...]))
    }

    /// Ends the digest and gives its 32 bytes; the value is used up after that.
    public mutating func finalize() -> [UInt8] {
        if block.beginPadding() {
            compress()
        }
        block.endPadding(lengthIsBigEndian: true)
        compress()
        var digest: [UInt8] = []
        digest.reserveCapacity(32)
        for index in 0..<8 {
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: state[index] >> shift))
            }
        }
        return digest
    }

    private mutating func compress() {
        // Through pointers: in a debug build the subscripts of inline arrays take four times as long, under the address
        // sanitizer thirteen times, and hosts digest every plugin's file.
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            let words = unsafe words.baseAddress.unsafelyUnwrapped
            unsafe withUnsafeBytes(of: block.littleEndianWords) { input in
                for index in 0..<16 {
                    unsafe words[index] = input.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self).byteSwapped
                }
            }
            unsafe SHA256.expand(words)
            unsafe withUnsafeBytes(of: SHA256.roots) { roots in
                unsafe turn(words, roots.assumingMemoryBound(to: UInt32.self).baseAddress.unsafelyUnwrapped)
            }
        }
    }

    /// Makes the 64 words of a block of its first 16.
    private static func expand(_ words: UnsafeMutablePointer<UInt32>) {
        var index = 16
        while index < 64 {
            let near = unsafe words[index &- 15]
            let late = unsafe words[index &- 2]
            let first = (near &>> 7 | near &<< 25) ^ (near &>> 18 | near &<< 14) ^ (near &>> 3)
            let second = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ (late &>> 10)
            unsafe words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
            index &+= 1
        }
    }

    /// The 64 rounds.
    private mutating func turn(_ words: UnsafeMutablePointer<UInt32>, _ roots: UnsafePointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var index = 0
        while index < 64 {
            let choice = (e & f) ^ (~e & g)
            let sumE = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let first = unsafe h &+ sumE &+ choice &+ roots[index] &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let sumA = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            h = g
            g = f
            f = e
            e = d &+ first
            d = c
            c = b
            b = a
            a = first &+ sumA &+ majority
            index &+= 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static let roots: InlineArray<64, UInt32> = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
