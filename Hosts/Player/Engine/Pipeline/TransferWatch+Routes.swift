import CGStreamer
import Glibc
import System
import XML

/// Leads requests elsewhere before they have a connection.
extension TransferWatch {
    func connectRoutes() {
        guard let type = unsafe soup.session?.type else { return }
        _ = unsafe g_type_class_ref(type)
        let signal = unsafe g_signal_lookup("request-queued", type)
        guard signal != 0 else { return }
        unsafe g_signal_add_emission_hook(
            signal,
            0,
            { _, count, values, _ in
                guard count > 1, let values = unsafe values, let object = unsafe g_value_get_object(values + 1) else {
                    return 1
                }
                unsafe TransferWatch.shared?.route(object.assumingMemoryBound(to: GObject.self))
                return 1
            },
            nil,
            nil
        )
    }

    /// Takes the manifest of an item, before its demuxer does; says whether that is to have it.
    func begin(_ id: UInt, manifest: String, at address: String) -> Bool {
        guard let item = state.with({ state in state.items.first { $0.id == id } }) else { return true }
        guard case .nowhere(let code, let reason) = item.detours.begin(manifest, at: address) else { return true }
        item.mailbox.post(.error(RawEngineError(refusal: code, reason)))
        return false
    }

    func part(of message: UnsafeMutablePointer<GObject>) -> StreamDetours.Part {
        StreamDetours.Part(
            address: unsafe OutgoingRequests.shared.plain(soup.address(of: message)),
            range: unsafe soup.header("Range", in: "request-headers", of: message)
        )
    }

    private func route(_ message: UnsafeMutablePointer<GObject>) {
        guard let referer = unsafe soup.header("Referer", in: "request-headers", of: message) else { return }
        let part = unsafe part(of: message)
        let thread = pthread_self()
        let key = UInt(bitPattern: message)
        let item = state.with { state -> Item? in
            guard let id = state.item(of: thread, referer) else { return nil }
            return state.items.first { $0.id == id }
        }
        guard let item else { return }
        switch item.detours.route(part, tell: { item.post($0) }) {
        case .asItIs: state.with { $0.queued[key] = (item.id, part) }
        case .to(let address):
            let target = StreamDetours.Part(address: address, range: part.range)
            state.with { $0.queued[key] = (item.id, target) }
            unsafe soup.lead(message, to: address)
        case .nowhere(let code, let reason):
            // Only this thread, which is the demuxer's own, can keep the playlist from it.
            item.mailbox.post(.error(RawEngineError(refusal: code, reason)))
            Self.park()
        }
    }

    /// Tells of a web page before the demuxer finds no media in it.
    func tellWebPage(_ message: UnsafeMutablePointer<GObject>, _ key: UInt) {
        guard unsafe (200..<300).contains(soup.status(of: message)) else { return }
        let found = state.with { state in
            state.transfers[key].flatMap { transfer in state.mailbox(of: transfer.item).map { ($0, transfer.url) } }
        }
        if let (mailbox, url) = found { mailbox.post(.webPage(url: url)) }
    }

    /// Takes the end of a request that never had a connection.
    static func missConnection(_ state: inout State, _ key: UInt) {
        guard let (id, part) = state.queued.removeValue(forKey: key) else { return }
        state.items.first { $0.id == id }?.detours.finished(part, status: nil, succeeded: false)
    }
}

extension SoupLibrary {
    /// Changes where a message goes that has not begun yet.
    func lead(_ message: UnsafeMutablePointer<GObject>, to address: String) {
        let flags = GUriFlags(rawValue: G_URI_FLAGS_ENCODED.rawValue)
        guard let session = unsafe session, let uri = unsafe g_uri_parse(address, flags, nil) else { return }
        unsafe session.setAddress(message, uri)
        unsafe g_uri_unref(uri)
    }
}

extension StreamDetours {
    /// One that asks the web itself, and answers from this process.
    static var web: StreamDetours {
        StreamDetours(
            get: { url, timeoutMs, limit in
                Result { () throws(FetchFailure) in
                    try OutgoingRequests.shared.get(url, timeoutMs: timeoutMs, limit: limit)
                }
            },
            answer: { LocalAnswers.shared?.address(of: $0) },
            peek: { url, timeoutMs, count in
                Result { () throws(FetchFailure) in
                    try OutgoingRequests.shared.get(url, timeoutMs: timeoutMs, limit: count, isBeginning: true)
                }
            }
        )
    }
}
