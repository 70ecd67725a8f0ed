import CGStreamer
import Glibc

/// What changing a message takes of libsoup 3 or 2.4.
@safe struct SoupRequests {
    private typealias ChangeFunction =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void
    private typealias RemoveFunction = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void
    private typealias TypeFunction = @convention(c) () -> GType
    private typealias AddressFunction = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    private typealias FreeFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias TextFunction = @convention(c) (UnsafePointer<CChar>?) -> UnsafeMutableRawPointer?

    /// What reads messages.
    let reading: SoupLibrary
    private let sessionType: GType
    private let replaceHeader: ChangeFunction
    private let appendHeader: ChangeFunction
    private let removeHeader: RemoveFunction
    private let setURI: AddressFunction
    private let makeURI: TextFunction?
    private let freeURI: FreeFunction?

    /// Finds the library that is loaded; nil when there is none, or it lacks a function.
    init?() {
        guard let reading = SoupLibrary(), let library = unsafe SoupLibrary.loaded()?.handle,
            let session = unsafe dlsym(library, "soup_session_get_type"),
            let replace = unsafe dlsym(library, "soup_message_headers_replace"),
            let append = unsafe dlsym(library, "soup_message_headers_append"),
            let remove = unsafe dlsym(library, "soup_message_headers_remove"),
            let address = unsafe dlsym(library, "soup_message_set_uri")
        else { return nil }
        unsafe setURI = unsafe unsafeBitCast(address, to: AddressFunction.self)
        // Version 2.4 has addresses of its own kind.
        unsafe makeURI = unsafe dlsym(library, "soup_uri_new").map { unsafe unsafeBitCast($0, to: TextFunction.self) }
        unsafe freeURI = unsafe dlsym(library, "soup_uri_free").map { unsafe unsafeBitCast($0, to: FreeFunction.self) }
        self.reading = reading
        sessionType = unsafe unsafeBitCast(session, to: TypeFunction.self)()
        unsafe replaceHeader = unsafe unsafeBitCast(replace, to: ChangeFunction.self)
        unsafe appendHeader = unsafe unsafeBitCast(append, to: ChangeFunction.self)
        unsafe removeHeader = unsafe unsafeBitCast(remove, to: RemoveFunction.self)
    }

    /// Lets a function see each request that any session is given.
    func hookRequests(_ hook: @escaping GSignalEmissionHook) {
        // The type's signals exist as long as its class does.
        _ = unsafe g_type_class_ref(sessionType)
        let signal = unsafe g_signal_lookup("request-queued", sessionType)
        guard signal != 0 else { return }
        unsafe g_signal_add_emission_hook(signal, 0, hook, nil, nil)
    }

    /// Gives a request another address.
    func setAddress(_ address: String, of message: UnsafeMutablePointer<GObject>) {
        if let makeURI = unsafe makeURI, let freeURI = unsafe freeURI {
            guard let uri = unsafe makeURI(address) else { return }
            unsafe setURI(message, uri)
            unsafe freeURI(uri)
            return
        }
        let encoded = [
            G_URI_FLAGS_HAS_PASSWORD, G_URI_FLAGS_ENCODED_PATH, G_URI_FLAGS_ENCODED_QUERY, G_URI_FLAGS_ENCODED_FRAGMENT,
            G_URI_FLAGS_SCHEME_NORMALIZE, G_URI_FLAGS_PARSE_RELAXED,
        ]
        let flags = GUriFlags(rawValue: encoded.reduce(0) { $0 | $1.rawValue })
        guard let uri = unsafe g_uri_parse(address, flags, nil) else { return }
        unsafe setURI(message, UnsafeMutableRawPointer(uri))
        unsafe g_uri_unref(uri)
    }

    /// Changes the headers of a request.
    func change(_ message: UnsafeMutablePointer<GObject>, _ body: (Headers) -> Void) {
        unsafe GObjectProperties(object: message).read("request-headers") { holder in
            if let headers = unsafe g_value_get_boxed(holder) { unsafe body(Headers(headers, self)) }
        }
    }

    /// The headers of one request.
    @safe struct Headers {
        private let headers: UnsafeMutableRawPointer
        private let soup: SoupRequests

        fileprivate init(_ headers: UnsafeMutableRawPointer, _ soup: SoupRequests) {
            unsafe self.headers = unsafe headers
            self.soup = soup
        }

        func replace(_ name: String, _ value: String) { unsafe soup.replaceHeader(headers, name, value) }
        func append(_ name: String, _ value: String) { unsafe soup.appendHeader(headers, name, value) }
        func remove(_ name: String) { unsafe soup.removeHeader(headers, name) }
    }
}
