/// Counts of values in buckets that never change: OpenTelemetry's exponential histogram at scale 6.
///
/// Bucket `i` holds what is above 2^(i/64) and at most 2^((i+1)/64), so its middle is within 0.54 % of all that it
/// holds. What is 0 or below is counted apart. Everything is a whole number, and no place depends on a rounding.
package struct ExponentialHistogram: Sendable, Equatable {
    /// Buckets for each doubling are two to the power of this.
    package static let scale = 6
    private static let perOctave = 64

    /// Values that are 0 or below.
    package private(set) var zeros: Int64 = 0
    /// The buckets that hold something, by their numbers.
    package private(set) var buckets: [(index: Int32, count: Int64)] = []

    /// No values.
    package init() {}

    /// Makes a histogram of what was encoded; nil unless the numbers go up and all counts are above 0.
    init?(zeros: Int64, buckets: [(index: Int32, count: Int64)]) {
        let ascends = zip(buckets, buckets.dropFirst()).allSatisfy { $0.index < $1.index }
        guard zeros >= 0, ascends, buckets.allSatisfy({ $0.count > 0 && Self.indexes.contains($0.index) }) else {
            return nil
        }
        self.zeros = zeros
        self.buckets = buckets
    }

    /// The buckets that an `Int64` can lie in.
    private static let indexes: ClosedRange<Int32> = -1...4_031

    /// How many values.
    package var count: Int64 { buckets.reduce(zeros) { $0 &+ $1.count } }

    /// Adds a value.
    package mutating func add(_ value: Int64) {
        if value <= 0 { zeros &+= 1 } else { add(1, to: Self.index(of: UInt64(value))) }
    }

    /// Adds all values of another.
    package mutating func add(_ other: ExponentialHistogram) {
        zeros &+= other.zeros
        for (index, count) in other.buckets { add(count, to: index) }
    }

    private mutating func add(_ count: Int64, to index: Int32) {
        var (low, high) = (0, buckets.count)
        while low < high {
            let middle = (low + high) / 2
            if buckets[middle].index < index { low = middle + 1 } else { high = middle }
        }
        if low < buckets.count, buckets[low].index == index {
            buckets[low].count &+= count
        } else {
            buckets.insert((index, count), at: low)
        }
    }

    /// The bucket of a value above 0.
    package static func index(of value: UInt64) -> Int32 {
        let octave = 63 - value.leadingZeroBitCount
        let mantissa = value << UInt64(value.leadingZeroBitCount)
        // How many bounds of the octave the value is above; the first is the power of two itself.
        var (low, high) = (0, perOctave)
        while low < high {
            let middle = (low + high) / 2
            if mantissa > bounds[middle] { low = middle + 1 } else { high = middle }
        }
        return Int32(octave * perOctave + low - 1)
    }

    /// The middle of a bucket, in thousandths, rounded down.
    package static func middleMilli(of index: Int32) -> Int64 {
        Int64(clamping: (boundMilli(index) + boundMilli(index + 1)) / 2)
    }

    /// 2^(index/64) in thousandths, rounded down.
    private static func boundMilli(_ index: Int32) -> Int128 {
        let octave = Int(index) >> scale
        let value = Int128(bounds[Int(index) & (perOctave - 1)]) * 1000
        return octave <= 63 ? value >> Int128(63 - octave) : value << Int128(octave - 63)
    }

    /// The value below which a share of `numerator / denominator` of all lie, by nearest rank: the middle of its
    /// bucket, in thousandths; nil without values.
    package func quantileMilli(_ numerator: Int64, _ denominator: Int64) -> Int64? {
        let count = count
        guard count > 0 else { return nil }
        var rest = max((Int128(count) * Int128(numerator) + Int128(denominator) - 1) / Int128(denominator), 1)
        rest -= Int128(zeros)
        if rest <= 0 { return 0 }
        for bucket in buckets {
            rest -= Int128(bucket.count)
            if rest <= 0 { return Self.middleMilli(of: bucket.index) }
        }
        return nil
    }

    /// Whether both hold the same counts.
    package static func == (left: ExponentialHistogram, right: ExponentialHistogram) -> Bool {
        left.zeros == right.zeros && left.buckets.elementsEqual(right.buckets) { $0 == $1 }
    }

    /// 2^(63 + j/64), rounded down, for each j below 64.
    private static let bounds: [UInt64] = [
        0x8000_0000_0000_0000, 0x8164_D1F3_BC03_0773, 0x82CD_8698_AC2B_A1D7, 0x843A_28C3_ACDE_4046,
        0x85AA_C367_CC48_7B14, 0x871F_6196_9E8D_1010, 0x8898_0E80_92DA_8527, 0x8A14_D575_496E_FD9A,
        0x8B95_C1E3_EA8B_D6E6, 0x8D1A_DF5B_7E5B_A9E5, 0x8EA4_398B_45CD_53C0, 0x9031_DC43_1466_B1DC,
        0x91C3_D373_AB11_C336, 0x935A_2B2F_13E6_E92B, 0x94F4_EFA8_FEF7_0961, 0x9694_2D37_2018_5A00,
        0x9837_F051_8DB8_A96F, 0x99E0_4593_20B7_FA64, 0x9B8D_39B9_D54E_5538, 0x9D3E_D9A7_2CFF_B750,
        0x9EF5_3260_91A1_11AD, 0xA0B0_510F_B971_4FC2, 0xA270_4303_0C49_6818, 0xA435_15AE_09E6_809E,
        0xA5FE_D6A9_B151_38EA, 0xA7CD_93B4_E965_3569, 0xA9A1_5AB4_EA7C_0EF8, 0xAB7A_39B5_A93E_D337,
        0xAD58_3EEA_42A1_4AC6, 0xAF3B_78AD_690A_4374, 0xB123_F581_D2AC_258F, 0xB311_C412_A911_2489,
        0xB504_F333_F9DE_6484, 0xB6FD_91E3_28D1_7791, 0xB8FB_AF47_62FB_9EE9, 0xBAFF_5AB2_133E_45FB,
        0xBD08_A39F_580C_36BE, 0xBF17_99B6_7A73_1082, 0xC12C_4CCA_6670_9456, 0xC346_CCDA_2497_6407,
        0xC567_2A11_5506_DADD, 0xC78D_74C8_ABB9_B15C, 0xC9B9_BD86_6E2F_27A2, 0xCBEC_14FE_F272_7C5C,
        0xCE24_8C15_1F84_80E3, 0xD063_33DA_EF2B_2594, 0xD2A8_1D91_F12A_E45A, 0xD4F3_5AAB_CFED_FA1F,
        0xD744_FCCA_D69D_6AF4, 0xD99D_15C2_78AF_D7B5, 0xDBFB_B797_DAF2_3755, 0xDE60_F482_5E0E_9123,
        0xE0CC_DEEC_2A94_E111, 0xE33F_8972_BE8A_5A51, 0xE5B9_06E7_7C83_48A8, 0xE839_6A50_3C4B_DC68,
        0xEAC0_C6E7_DD24_392E, 0xED4F_301E_D994_2B84, 0xEFE4_B99B_DCDA_F5CB, 0xF281_773C_59FF_B139,
        0xF525_7D15_2486_CC2C, 0xF7D0_DF73_0AD1_3BB8, 0xFA83_B2DB_722A_033A, 0xFD3E_0C0C_F486_C174,
    ]
}
