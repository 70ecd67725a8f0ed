internal import CCurl

/// A libcurl handle: used again for one request after another, it keeps what was learnt of the server.
@safe final class EasyHandle {
    let pointer: UnsafeMutableRawPointer

    /// Makes a handle; nil when there is no memory for it.
    init?() {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
    }

    /// Tells handles apart.
    var number: Int { unsafe Int(bitPattern: pointer) }
}
