internal import Glibc

/// Copies bytes of which there are mostly few: words that may overlap are quicker than a call.
///
/// All words are read before the first is written, so source and target may overlap.
enum ShortCopy {
    @inline(__always)
    static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        guard let source = bytes.baseAddress else { return }
        let count = bytes.count
        if count > 64 {
            unsafe memmove(target, source, count)
        } else if count > 32 {
            unsafe four(source, target, 0, 16, count &- 32, count &- 16)
        } else if count >= 16 {
            unsafe two(source, target, count &- 16, SIMD16<UInt8>.self)
        } else if count >= 8 {
            unsafe two(source, target, count &- 8, UInt64.self)
        } else if count >= 4 {
            unsafe two(source, target, count &- 4, UInt32.self)
        } else if count > 0 {
            let first = unsafe source.load(as: UInt8.self)
            let middle = unsafe (source + count / 2).load(as: UInt8.self)
            let last = unsafe (source + (count &- 1)).load(as: UInt8.self)
            unsafe target.storeBytes(of: first, as: UInt8.self)
            unsafe (target + count / 2).storeBytes(of: middle, as: UInt8.self)
            unsafe (target + (count &- 1)).storeBytes(of: last, as: UInt8.self)
        }
    }

    /// Copies a word at the start and one at `place`.
    @inline(__always)
    private static func two<Word: BitwiseCopyable>(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ place: Int,
        _ type: Word.Type
    ) {
        let first = unsafe source.loadUnaligned(as: type)
        let last = unsafe (source + place).loadUnaligned(as: type)
        unsafe target.storeBytes(of: first, as: type)
        unsafe (target + place).storeBytes(of: last, as: type)
    }

    /// Copies 16 bytes at each of four places.
    @inline(__always)
    private static func four(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ a: Int,
        _ b: Int,
        _ c: Int,
        _ d: Int
    ) {
        let first = unsafe (source + a).loadUnaligned(as: SIMD16<UInt8>.self)
        let second = unsafe (source + b).loadUnaligned(as: SIMD16<UInt8>.self)
        let third = unsafe (source + c).loadUnaligned(as: SIMD16<UInt8>.self)
        let fourth = unsafe (source + d).loadUnaligned(as: SIMD16<UInt8>.self)
        unsafe (target + a).storeBytes(of: first, as: SIMD16<UInt8>.self)
        unsafe (target + b).storeBytes(of: second, as: SIMD16<UInt8>.self)
        unsafe (target + c).storeBytes(of: third, as: SIMD16<UInt8>.self)
        unsafe (target + d).storeBytes(of: fourth, as: SIMD16<UInt8>.self)
    }
}
