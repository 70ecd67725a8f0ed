import CGStreamer
import Glibc

/// The few functions of libsoup that reading a message takes, in the version that GStreamer has loaded.
///
/// GStreamer takes version 3 or 2.4, whichever is there, and both cannot be in one process; so none is linked here.
@safe struct SoupLibrary {
    private typealias TypeFunction = @convention(c) () -> GType
    private typealias AddressFunction = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias TextFunction2 =
        @convention(c) (UnsafeMutableRawPointer?, gboolean) -> UnsafeMutablePointer<CChar>?
    private typealias TextFunction3 = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CChar>?
    private typealias HeaderFunction =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>?

    /// The type of messages, whose signals tell the course of a request.
    let messageType: GType
    private let address: AddressFunction
    private let text2: TextFunction2?
    private let text3: TextFunction3?
    private let header: HeaderFunction

    /// Finds the library that is loaded; nil when there is none, or it lacks a function.
    init?() {
        let names = ["libsoup-3.0.so.0", "libsoup-2.4.so.1"]
        guard let version = names.firstIndex(where: { unsafe dlopen($0, RTLD_NOLOAD | RTLD_LAZY) != nil }),
            let library = unsafe dlopen(names[version], RTLD_NOLOAD | RTLD_LAZY),
            let type = unsafe dlsym(library, "soup_message_get_type"),
            let address = unsafe dlsym(library, "soup_message_get_uri"),
            let header = unsafe dlsym(library, "soup_message_headers_get_one")
        else { return nil }
        unsafe self.address = unsafe unsafeBitCast(address, to: AddressFunction.self)
        unsafe self.header = unsafe unsafeBitCast(header, to: HeaderFunction.self)
        if version == 0 {
            guard let text = unsafe dlsym(nil, "g_uri_to_string") else { return nil }
            unsafe text3 = unsafe unsafeBitCast(text, to: TextFunction3.self)
            unsafe text2 = nil
        } else {
            guard let text = unsafe dlsym(library, "soup_uri_to_string") else { return nil }
            unsafe text2 = unsafe unsafeBitCast(text, to: TextFunction2.self)
            unsafe text3 = nil
        }
        messageType = unsafe unsafeBitCast(type, to: TypeFunction.self)()
    }

    /// The address that a message is for.
    func address(of message: UnsafeMutablePointer<GObject>) -> String {
        let uri = unsafe address(message)
        guard let text = unsafe text2?(uri, 0) ?? text3?(uri) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }

    /// A header of a message: of its request or its response, by the name of the property that has them.
    func header(_ name: String, in property: String, of message: UnsafeMutablePointer<GObject>) -> String? {
        unsafe Self.read(property, of: message) { holder in
            guard let headers = unsafe g_value_get_boxed(holder), let value = unsafe header(headers, name) else {
                return nil
            }
            return unsafe String(cString: value)
        }
    }

    /// The status of a message; below 100 it is none of a server's.
    func status(of message: UnsafeMutablePointer<GObject>) -> Int {
        unsafe Self.read("status-code", of: message) { holder in unsafe Int(g_value_get_uint(holder)) } ?? 0
    }

    private static func read<Value>(
        _ name: String,
        of object: UnsafeMutablePointer<GObject>,
        _ get: (UnsafeMutablePointer<GValue>) -> Value?
    ) -> Value? {
        guard let typeClass = unsafe UnsafeMutablePointer<GTypeInstance>(OpaquePointer(object)).pointee.g_class else {
            return nil
        }
        let objectClass = unsafe UnsafeMutablePointer<GObjectClass>(OpaquePointer(typeClass))
        guard let property = unsafe g_object_class_find_property(objectClass, name) else { return nil }
        var holder = GValue()
        unsafe g_value_init(&holder, property.pointee.value_type)
        defer { unsafe g_value_unset(&holder) }
        unsafe g_object_get_property(object, name, &holder)
        return unsafe get(&holder)
    }
}
