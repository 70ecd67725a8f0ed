/// Numbers as people read them.
package enum ReadableNumber {
    /// The number with a comma before every three digits.
    package static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) {
                text.append(",")
            }
            text.append(digit)
        }
        return text
    }

    /// The number with a comma before every three digits.
    package static func grouped(_ number: Int) -> String {
        (number < 0 ? "-" : "") + grouped(UInt64(number.magnitude))
    }

    /// A time as `h:mm:ss`, in whole seconds that have passed.
    package static func duration(microseconds: Int64) -> String {
        let seconds = max(0, microseconds) / 1_000_000
        return "\(seconds / 3_600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    /// A short time: `12.3 s`, or below a second `450 ms`.
    package static func shortTime(microseconds: Int64) -> String {
        let milliseconds = max(0, microseconds) / 1_000
        return milliseconds < 1_000
            ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    }

    /// A number of bytes in the unit that leaves at most three digits before the point, as `12.3 MB`.
    package static func bytes(_ count: Int) -> String {
        var rest = count * 10
        for unit in ["B", "kB", "MB", "GB"] {
            if rest < 10_000 {
                return unit == "B" ? "\(count) B" : "\(rest / 10).\(rest % 10) \(unit)"
            }
            rest /= 1_000
        }
        return "\(rest / 10).\(rest % 10) TB"
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
