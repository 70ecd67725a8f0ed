package import CLinux
package import PluginABI

/// The arguments of a call into a plugin, as they lie in registers.
package struct CallArguments {
    private var values: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    /// The instance that is called, and what else fits into a register each.
    @inline(__always)
    package init(_ instance: UnsafeRawPointer, _ more: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0) {
        values.0 = UInt64(UInt(bitPattern: instance))
        values.1 = more
        values.2 = second
        values.3 = third
    }

    /// Puts one of the further arguments, 1 to 7, into its place.
    package subscript(place: Int) -> UInt64 {
        get { unsafe withUnsafeBytes(of: values) { unsafe $0.load(fromByteOffset: place * 8, as: UInt64.self) } }
        set {
            unsafe withUnsafeMutableBytes(of: &values) { bytes in
                unsafe bytes.storeBytes(of: newValue, toByteOffset: place * 8, as: UInt64.self)
            }
        }
    }

    /// Calls a function; nil when it did not come back in time, and the caller goes on without it.
    ///
    /// - Parameters:
    ///   - function: a function of one of the plugin's tables.
    ///   - call: what a process says that dies in there, as ``PluginIdentity/opening(_:)`` makes it.
    ///   - limit: how long it may take, ms, 0 for ever.
    /// - Returns: what the function gave back.
    @inline(__always)
    package func call(_ function: UnsafeRawPointer, _ call: UInt32, limit: UInt32) -> tally_returned? {
        var result = tally_returned()
        let isBack = unsafe withUnsafePointer(to: values) { values in
            unsafe values.withMemoryRebound(to: UInt64.self, capacity: 8) { values in
                unsafe tally_call_plugin(function, values, call, limit, &result)
            }
        }
        return isBack ? result : nil
    }
}

extension UInt64 {
    /// A pointer as it lies in a register.
    @inline(__always)
    package init(register pointer: UnsafeRawPointer?) { self = UInt64(UInt(bitPattern: pointer)) }

    /// A signed number as it lies in a register.
    @inline(__always)
    package init(register number: Int64) { self.init(bitPattern: number) }
}

extension tally_returned {
    /// What a function gave back that says how it went.
    package var status: tally_status { tally_status(truncatingIfNeeded: first) }
    /// A number that a function gave back.
    package var number: Int64 { first }
    /// An address that a function gave back.
    package var pointer: UnsafeRawPointer? { unsafe UnsafeRawPointer(bitPattern: Int(first)) }
    /// A text that a function gave back.
    package var text: tally_str {
        unsafe tally_str(ptr: UnsafePointer(bitPattern: Int(first)), len: Int(second))
    }
}

/// Memory that a plugin borrows for a call, and that stays for good when the call does not come back.
@safe struct LastingText {
    private let start: UnsafeMutablePointer<CChar>
    private let count: Int

    /// A copy of a text.
    init(_ text: String) {
        var text = text
        (unsafe start, count) = text.withUTF8 { bytes in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            for place in 0..<bytes.count { unsafe copy[place] = CChar(bitPattern: bytes[place]) }
            unsafe copy[bytes.count] = 0
            return unsafe (copy, bytes.count)
        }
    }

    /// Its two halves as they lie in registers.
    var registers: (UInt64, UInt64) { unsafe (UInt64(register: start), UInt64(count)) }
    /// Its address; a zero follows the text.
    var address: UInt64 { unsafe UInt64(register: start) }

    /// Gives the memory back, after a call that came back.
    func free() { unsafe start.deallocate() }
}
