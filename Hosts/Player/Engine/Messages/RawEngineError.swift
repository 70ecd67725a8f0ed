/// An error as the engine words it.
package struct RawEngineError: Sendable, Equatable {
    /// The engine's error domain.
    package var domain: String
    /// The code within the domain.
    package var code: Int
    /// The status of the HTTP answer; below 100 it is a transport failure.
    package var httpStatus: Int?
    /// The engine's sentence.
    package var message: String
    /// The engine's technical text.
    package var debug: String
    /// Whether nobody knows the host of the item, as far as it was asked.
    package var isHostUnknown = false

    /// Creates an error.
    package init(domain: String, code: Int, httpStatus: Int? = nil, message: String = "", debug: String = "") {
        self.domain = domain
        self.code = code
        self.httpStatus = httpStatus
        self.message = message
        self.debug = debug
    }
}
