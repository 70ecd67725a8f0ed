internal import Glibc

/// Copies bytes of which there are mostly few: words that may overlap are quicker than a call.
enum ShortCopy {
    @inline(__always)
    static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        guard let source = bytes.baseAddress else { return }
        let count = bytes.count
        if count > 32 {
            unsafe memcpy(target, source, count)
        } else if count >= 8 {
            if count > 16 {
                unsafe word(source, target, 8, UInt64.self)
                unsafe word(source, target, count &- 16, UInt64.self)
            }
            unsafe word(source, target, 0, UInt64.self)
            unsafe word(source, target, count &- 8, UInt64.self)
        } else if count >= 4 {
            unsafe word(source, target, 0, UInt32.self)
            unsafe word(source, target, count &- 4, UInt32.self)
        } else if count > 0 {
            unsafe word(source, target, 0, UInt8.self)
            unsafe word(source, target, count / 2, UInt8.self)
            unsafe word(source, target, count &- 1, UInt8.self)
        }
    }

    @inline(__always)
    private static func word<Word: FixedWidthInteger & BitwiseCopyable>(
        _ source: UnsafeRawPointer,
        _ target: UnsafeMutableRawPointer,
        _ place: Int,
        _ type: Word.Type
    ) {
        unsafe (target + place).storeBytes(of: (source + place).loadUnaligned(as: type), as: type)
    }
}
