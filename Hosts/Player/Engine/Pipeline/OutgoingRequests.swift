import CGStreamer
import Glibc
import Streaming
import System
import XML

/// Gives the requests that GStreamer makes in this process what the settings say that requests carry.
///
/// It makes them with libsoup: the source of a file or manifest has properties for some of it, adaptive demuxers have
/// none. So each message is changed as it is about to be sent, and again when it is sent to where a server redirects.
@safe final class OutgoingRequests: @unchecked Sendable {
    private typealias StartCallback = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    private typealias CertificateCallback =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UInt32, UnsafeMutableRawPointer?) ->
        gboolean

    /// That of the process, which has one item.
    static let shared = OutgoingRequests()

    private let settings = Lock(RequestSettings())
    /// What a playlist's references stand for, and who is told of a variable that nobody knows.
    private let references = Lock<(variables: PlaylistVariables, onUnknown: @Sendable (String) -> Void)?>(nil)
    /// What requests say of the media; nil when they say nothing of it.
    private let reporting = Lock<CMCDReporting?>(nil)
    /// What changes messages; nil until libsoup is there.
    private let soup = Lock<SoupRequests?>(nil)

    /// Takes settings for all requests from now on; false when their certificates cannot be used.
    func begin(_ settings: RequestSettings, reporting: CMCDReporting?) -> Bool {
        self.settings.with { $0 = settings }
        self.reporting.with { $0 = reporting }
        references.with { $0 = nil }
        return TrustedCertificates.use(settings.certificatesPath)
    }

    /// Puts the values of a manifest's variables into addresses from now on: GStreamer 1.22 knows no `EXT-X-DEFINE`.
    func replace(_ variables: PlaylistVariables, onUnknown: @escaping @Sendable (String) -> Void) {
        references.with { $0 = (variables, onUnknown) }
    }

    /// Sees all requests from now on; once GStreamer has loaded libsoup.
    func hook() {
        soup.with { soup in
            guard soup == nil, let found = SoupRequests() else { return }
            soup = found
            unsafe found.hookRequests { _, count, values, _ in
                guard count > 1, let values = unsafe values, let object = unsafe g_value_get_object(values + 1) else {
                    return 1
                }
                unsafe OutgoingRequests.shared.prepare(object.assumingMemoryBound(to: GObject.self))
                return 1
            }
        }
    }

    /// Prepares a request that its session was given, before there is a connection for it.
    private func prepare(_ message: UnsafeMutablePointer<GObject>) {
        // A proxy that is asked for a tunnel gets nothing that is for the server behind it.
        guard unsafe Self.method(of: message) != "CONNECT" else { return }
        unsafe address(message)
        let start: StartCallback = { message, _ in
            guard let message = unsafe message else { return }
            unsafe OutgoingRequests.shared.dress(message.assumingMemoryBound(to: GObject.self))
        }
        // Behind the cookies that the session keeps, which take the place of others.
        unsafe g_signal_connect_data(
            message,
            "starting",
            unsafeBitCast(start, to: GCallback.self),
            nil,
            nil,
            G_CONNECT_AFTER
        )
        guard settings.with({ $0.isInsecure }) else { return }
        let believe: CertificateCallback = { _, _, _, _ in 1 }
        unsafe g_signal_connect_data(
            message,
            "accept-certificate",
            unsafeBitCast(believe, to: GCallback.self),
            nil,
            nil,
            GConnectFlags(rawValue: 0)
        )
    }

    /// An address as it is without what this adds to it.
    func plain(_ url: String) -> String {
        reporting.with { $0?.form } == .query ? CMCDRecord.removed(from: url) : url
    }

    /// What this process asks for itself, beside GStreamer, with all that requests carry.
    func get(
        _ url: String,
        timeoutMs: Int64,
        limit: Int,
        isBeginning: Bool = false
    ) throws(FetchFailure) -> [UInt8] {
        var settings = settings.with { $0 }
        var address = url
        settings.cmcd.form = .off
        if let reporting = reporting.with({ $0 }) {
            let record = reporting.record(for: url)
            if reporting.form == .query {
                address = record.added(to: url, version: reporting.version)
            } else {
                settings.headers += record.headers(version: reporting.version)
            }
        }
        return try HTTPFetch.get(
            address,
            as: settings,
            timeoutMs: timeoutMs,
            limit: limit,
            isBeginning: isBeginning
        )
    }

    /// Sends a request to where it is meant to go, with what its address says besides.
    private func address(_ message: UnsafeMutablePointer<GObject>) {
        guard let soup = soup.with({ $0 }) else { return }
        let written = unsafe soup.reading.address(of: message)
        guard !LocalAnswers.isKnown(written) else { return }
        var url = written
        if let (variables, onUnknown) = references.with({ $0 }) {
            do throws(PlaylistVariables.UnknownVariable) {
                url = try variables.address(written)
            } catch {
                onUnknown(error.name)
            }
        }
        if let reporting = reporting.with({ $0 }), reporting.form == .query {
            url = reporting.record(for: url).added(to: url, version: reporting.version)
        }
        if url != written { unsafe soup.setAddress(url, of: message) }
    }

    private static func method(of message: UnsafeMutablePointer<GObject>) -> String? {
        unsafe GObjectProperties(object: message).read("method") { holder in
            unsafe g_value_get_string(holder).map { unsafe String(cString: $0) }
        }
    }

    /// Puts the headers in, on the thread that sends the request.
    private func dress(_ message: UnsafeMutablePointer<GObject>) {
        guard let soup = soup.with({ $0 }) else { return }
        let address = unsafe soup.reading.address(of: message)
        let settings = settings.with { $0 }
        let kept = unsafe soup.reading.header("Cookie", in: "request-headers", of: message)
        let reporting = reporting.with { $0 }
        unsafe soup.change(message) { headers in
            if let reporting, reporting.form == .header {
                for name in CMCDRecord.headerNames { headers.remove(name) }
                for header in reporting.record(for: address).headers(version: reporting.version) {
                    headers.replace(header.name, header.value)
                }
            }
            var known: Set<String> = []
            for header in settings.headers(for: address) {
                if known.insert(header.name.lowercased()).inserted {
                    headers.replace(header.name, header.value)
                } else {
                    headers.append(header.name, header.value)
                }
            }
            // What a demuxer copies from the manifest's request, and what a redirect takes along, would go to any host.
            for name in settings.withheldNames(for: address) where !known.contains(name.lowercased()) {
                headers.remove(name)
            }
            guard !settings.cookies.isEmpty else { return }
            if let cookies = settings.cookies(for: address, besides: kept) {
                headers.replace("Cookie", cookies)
            } else {
                headers.remove("Cookie")
            }
        }
    }
}
