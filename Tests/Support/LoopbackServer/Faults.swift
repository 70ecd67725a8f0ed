/// What goes wrong with one answer.
package struct Faults: Sendable, Equatable {
    /// Waits this long before the answer's first byte.
    package var latencyMilliseconds: Int?
    /// Answers with this status and a short text instead of the resource.
    package var status: Int?
    /// Closes the connection instead of sending the resource's bytes from this offset on; the head names the whole.
    package var cutAfter: Int?
    /// Sends nothing from this offset on and keeps the connection open.
    package var stallAfter: Int?
    /// Resets the connection without an answer.
    package var refuses = false
    /// Sends this in place of an answer, and closes the connection.
    package var rawAnswer: String?
    /// Asks the client to come back after so many seconds.
    package var retryAfterSeconds: Int?
    /// Sends the whole resource in chunks and says nothing of its length (RFC 9112, 7.1).
    package var isChunked = false
    /// Sends the client on to this address instead of the resource, with 302 unless ``status`` says otherwise.
    package var redirectsTo: String?
    /// What the answer says that the resource is.
    package var contentType: String?
    /// How many bytes the head promises, whatever the body has; the connection is closed behind the body.
    package var contentLength: Int?

    /// Makes a set of faults.
    package init(
        latencyMilliseconds: Int? = nil,
        status: Int? = nil,
        cutAfter: Int? = nil,
        stallAfter: Int? = nil,
        refuses: Bool = false,
        rawAnswer: String? = nil,
        retryAfterSeconds: Int? = nil,
        isChunked: Bool = false,
        redirectsTo: String? = nil,
        contentType: String? = nil,
        contentLength: Int? = nil
    ) {
        self.latencyMilliseconds = latencyMilliseconds
        self.status = status
        self.cutAfter = cutAfter
        self.stallAfter = stallAfter
        self.refuses = refuses
        self.rawAnswer = rawAnswer
        self.retryAfterSeconds = retryAfterSeconds
        self.isChunked = isChunked
        self.redirectsTo = redirectsTo
        self.contentType = contentType
        self.contentLength = contentLength
    }

    /// Adds the faults of a later rule, which win.
    mutating func merge(_ later: Faults) {
        latencyMilliseconds = later.latencyMilliseconds ?? latencyMilliseconds
        status = later.status ?? status
        cutAfter = later.cutAfter ?? cutAfter
        stallAfter = later.stallAfter ?? stallAfter
        refuses = refuses || later.refuses
        rawAnswer = later.rawAnswer ?? rawAnswer
        retryAfterSeconds = later.retryAfterSeconds ?? retryAfterSeconds
        isChunked = isChunked || later.isChunked
        redirectsTo = later.redirectsTo ?? redirectsTo
        contentType = later.contentType ?? contentType
        contentLength = later.contentLength ?? contentLength
    }
}
