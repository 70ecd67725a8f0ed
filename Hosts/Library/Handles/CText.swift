internal import CTally
internal import Glibc

/// A text as C reads it, for as long as this lives.
@safe final class CText: @unchecked Sendable {
    let pointer: UnsafePointer<CChar>

    init(_ text: String) { unsafe pointer = UnsafePointer(strdup(text)) }

    deinit { unsafe free(UnsafeMutablePointer(mutating: pointer)) }
}

/// Structures that begin with their size, whose makers may know fewer or more members than this library does.
enum SizedStructure {
    /// A caller's structure; what it does not have is 0.
    static func read<Value>(_ source: UnsafePointer<Value>, into value: inout Value) {
        let count = unsafe bytes(at: source)
        unsafe withUnsafeMutablePointer(to: &value) { _ = unsafe memcpy($0, source, count) }
    }

    /// Fills in a caller's structure, as far as it has room; its size stays.
    static func copy<Value>(_ value: Value, to target: UnsafeMutablePointer<Value>) {
        let size = unsafe UnsafeRawPointer(target).load(as: UInt32.self)
        let count = unsafe bytes(at: target)
        unsafe withUnsafePointer(to: value) { _ = unsafe memcpy(target, $0, count) }
        unsafe UnsafeMutableRawPointer(target).storeBytes(of: size, as: UInt32.self)
    }

    private static func bytes<Value>(at structure: UnsafePointer<Value>) -> Int {
        min(Int(unsafe UnsafeRawPointer(structure).load(as: UInt32.self)), MemoryLayout<Value>.size)
    }
}

extension String {
    /// Takes a text of C's; nil for none.
    init?(orNil text: UnsafePointer<CChar>?) {
        guard let text = unsafe text else { return nil }
        self = unsafe String(cString: text)
    }
}
