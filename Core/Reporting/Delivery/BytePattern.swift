internal import Glibc

/// A POSIX extended regular expression over bytes, without a locale.
@safe public final class BytePattern: @unchecked Sendable {
    /// Why a text is no pattern.
    public struct Failure: Error, CustomStringConvertible {
        /// What the system says.
        public let description: String
    }

    /// Where it fits, as offsets.
    struct Match {
        let whole: Range<Int>
        /// What the first group fits, or all when the pattern has none.
        let inner: Range<Int>
    }

    /// The pattern as it was written.
    public let text: String
    private let compiled: UnsafeMutablePointer<regex_t>

    /// Reads a pattern.
    public init(_ text: String) throws(Failure) {
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        let status = unsafe regcomp(compiled, text, REG_EXTENDED)
        guard status == 0 else {
            var message = [CChar](repeating: 0, count: 256)
            _ = unsafe regerror(status, compiled, &message, message.count)
            unsafe compiled.deallocate()
            let end = message.firstIndex(of: 0) ?? message.count
            throw Failure(description: String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        self.text = text
        unsafe self.compiled = unsafe compiled
    }

    deinit {
        unsafe regfree(compiled)
        unsafe compiled.deallocate()
    }

    /// Where it fits first from an offset on.
    func match(in bytes: [UInt8], from start: Int) -> Match? {
        var places = [regmatch_t](repeating: regmatch_t(), count: 2)
        places[0].rm_so = regoff_t(start)
        places[0].rm_eo = regoff_t(bytes.count)
        let flags = REG_STARTEND | (start > 0 ? REG_NOTBOL : 0)
        // The end is told, and yet the address sanitizer looks for a zero byte.
        let status = unsafe (bytes + [0]).withUnsafeBytes { raw -> Int32 in
            guard let base = raw.baseAddress else { return -1 }
            let characters = unsafe base.assumingMemoryBound(to: CChar.self)
            return unsafe regexec(compiled, characters, places.count, &places, flags)
        }
        guard status == 0 else { return nil }
        let whole = Int(places[0].rm_so)..<Int(places[0].rm_eo)
        let hasGroup = places[1].rm_so >= 0
        return Match(whole: whole, inner: hasGroup ? Int(places[1].rm_so)..<Int(places[1].rm_eo) : whole)
    }
}
