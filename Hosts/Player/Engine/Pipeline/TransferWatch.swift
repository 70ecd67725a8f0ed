// What Tally sees of libsoup; what it gives to requests is in OutgoingRequests. GStreamer 1.22 forces it: its adaptive
// demuxers make requests that no message tells of, and one answer of a server makes them end the process. What the
// player asks for itself goes through libcurl.

import CGStreamer
import Glibc
import System

/// Sees the requests that adaptive demuxers make: of playlists, segments and keys.
///
/// The demuxers of GStreamer 1.22 post no messages of them. They use libsoup, whose messages have signals for each step
/// of a request, and GObject lets a program see all emissions of a signal. A demuxer makes its requests on a thread of
/// its own and names its manifest in the header `Referer`: by that a request finds the item that it is for.
@safe final class TransferWatch: @unchecked Sendable {
    /// The watch of the process; nil when GStreamer uses no libsoup that is known.
    static let shared: TransferWatch? = SoupLibrary().map(TransferWatch.init)

    private enum Step: String, CaseIterable {
        case starting
        case headers = "got-headers"
        case body = "got-body"
        case finished
    }

    /// The longest wait for the thread that makes transfers.
    private static let transferLimitMs: Int64 = 1000

    struct Item {
        let id: UInt
        let location: String
        let mailbox: Mailbox
        let pacing = RequestPacing()
        let detours: StreamDetours
        var thread: pthread_t?
        var transfers: DemuxerThread?

        /// Tells the engine's thread what was found on the way.
        func post(_ finding: StreamDetours.Finding) {
            switch finding {
            case .skipped(let address, let status): mailbox.post(.partSkipped(url: address, status: status))
            case .asked(let request): mailbox.post(.asked(request))
            case .protected: mailbox.post(.protectedMedia)
            }
        }
    }

    struct Transfer {
        let item: UInt
        let url: String
        var part: StreamDetours.Part
        var startNs: Int64
        var isPlaylist: Bool
        var headersNs: Int64?
        var hasBody = false
    }

    let soup: SoupLibrary
    let state = Lock(State())

    struct State {
        var items: [Item] = []
        /// What is asked for as soon as there is a connection.
        var queued: [UInt: (item: UInt, part: StreamDetours.Part)] = [:]
        var transfers: [UInt: Transfer] = [:]

        func mailbox(of id: UInt) -> Mailbox? { items.first { $0.id == id }?.mailbox }

        /// The item whose demuxer uses a thread; one that was not seen before is that of the item with its manifest
        /// that waits longest, as items with the same source are opened one after another.
        mutating func item(of thread: pthread_t, _ referer: String) -> UInt? {
            if let known = items.first(where: { $0.thread.map { pthread_equal($0, thread) != 0 } ?? false }) {
                return known.id
            }
            let waiting = items.indices.filter { items[$0].thread == nil }
            guard let index = waiting.first(where: { items[$0].location == referer }) ?? waiting.first else {
                return nil
            }
            items[index].thread = thread
            items[index].transfers = DemuxerThread()
            return items[index].id
        }
    }

    private init(_ soup: SoupLibrary) {
        self.soup = soup
        // The type's signals exist as long as its class does.
        _ = unsafe g_type_class_ref(soup.messageType)
        for (index, step) in Step.allCases.enumerated() {
            let signal = unsafe g_signal_lookup(step.rawValue, soup.messageType)
            guard signal != 0 else { continue }
            let context = unsafe UnsafeMutableRawPointer(bitPattern: index + 1)
            unsafe g_signal_add_emission_hook(signal, 0, Self.onEmission, context, nil)
        }
        connectRoutes()
    }

    private static let onEmission: GSignalEmissionHook = { _, count, values, context in
        guard count > 0, let values = unsafe values, let object = unsafe g_value_get_object(values),
            Step.allCases.indices.contains(Int(bitPattern: context) - 1)
        else { return 1 }
        let step = Step.allCases[Int(bitPattern: context) - 1]
        let message = unsafe object.assumingMemoryBound(to: GObject.self)
        unsafe TransferWatch.shared?.follow(step, of: message)
        return 1
    }

    /// Sends what becomes of the requests of an item's demuxer to its mailbox, until ``remove(_:)``.
    func add(_ id: UInt, location: String, mailbox: Mailbox) {
        state.with { $0.items.append(Item(id: id, location: location, mailbox: mailbox, detours: .web)) }
    }

    func remove(_ id: UInt) {
        hurry(id)
        state.with { state in
            state.items.removeAll { $0.id == id }
            state.transfers = state.transfers.filter { $0.value.item != id }
            state.queued = state.queued.filter { $0.value.item != id }
        }
    }

    private func hurry(_ id: UInt) { state.with { state in state.items.first { $0.id == id }?.pacing }?.hurry() }

    /// The address of a segment of an item that is a whole MP4 file, among those that came last; asks for it once more.
    func wholeFile(of id: UInt) -> String? {
        state.with { state in state.items.first { $0.id == id } }?.detours.wholeFile()
    }

    /// Whether a request of an item is under way.
    func hasTransfers(of id: UInt) -> Bool { state.with { $0.transfers.values.contains { $0.item == id } } }

    /// Waits until all that an item's demuxer has asked for so far is on its way.
    func awaitRequests(of id: UInt) {
        hurry(id)
        let thread = state.with { state in state.items.first { $0.id == id }?.transfers }
        _ = thread?.perform(.last, limitMs: Self.transferLimitMs) {}
    }

    /// Tells of an item's requests that a seek gave up: of those that began before it and are not over.
    ///
    /// The demuxer lets go of each segment and key as it seeks, and asks for playlists all the same. libsoup says so at
    /// once only while the answer comes fast; of one that is slow or stands still it says nothing for a long time.
    func giveUp(_ id: UInt, beganBefore limitNs: Int64) {
        let nowNs = MonotonicClock.nowNs()
        let (given, mailbox) = state.with { state -> ([Transfer], Mailbox?) in
            let keys = state.transfers.filter {
                $0.value.item == id && $0.value.startNs < limitNs && !$0.value.isPlaylist
            }
            let given = keys.keys.compactMap { state.transfers.removeValue(forKey: $0) }
            return (given.sorted { $0.startNs < $1.startNs }, state.mailbox(of: id))
        }
        for transfer in given {
            var request = EngineRequest(url: transfer.url)
            Self.time(&request, of: transfer, endNs: nowNs)
            request.isOfDemuxer = true
            request.isIncomplete = true
            request.isGivenUp = true
            mailbox?.post(.transfer(request))
        }
    }

    private static func time(_ request: inout EngineRequest, of transfer: Transfer, endNs: Int64) {
        request.startNs = transfer.startNs
        request.durationMs = (endNs - transfer.startNs) / 1_000_000
        request.firstByteMs = transfer.headersNs.map { ($0 - transfer.startNs) / 1_000_000 }
    }

    private func follow(_ step: Step, of message: UnsafeMutablePointer<GObject>) {
        let key = UInt(bitPattern: message)
        let nowNs = MonotonicClock.nowNs()
        switch step {
        case .starting: unsafe start(message, key, nowNs)
        case .headers:
            let type = unsafe soup.header("Content-Type", in: "response-headers", of: message)
            change(key) {
                $0.headersNs = $0.headersNs ?? nowNs
                $0.isPlaylist = $0.isPlaylist || EngineRequest.isPlaylist(contentType: type)
            }
            unsafe refuseEmptyPlaylist(message, key, nowNs)
            if EngineRequest.isWebPage(contentType: type) { unsafe tellWebPage(message, key) }
        case .body: change(key) { $0.hasBody = true }
        case .finished: unsafe finish(message, key, nowNs)
        }
    }

    private func start(_ message: UnsafeMutablePointer<GObject>, _ key: UInt, _ nowNs: Int64) {
        guard let referer = unsafe soup.header("Referer", in: "request-headers", of: message) else { return }
        let url = unsafe OutgoingRequests.shared.plain(soup.address(of: message))
        let part = unsafe part(of: message)
        let isOwn = LocalAnswers.isKnown(url)
        let thread = pthread_self()
        let pacing = state.with { state -> RequestPacing? in
            // A request that is sent again, to where a server redirects, began when it was sent first.
            guard state.transfers[key] == nil, let item = state.item(of: thread, referer) else { return nil }
            state.queued[key] = nil
            if isOwn { return state.items.first { $0.id == item }?.pacing }
            state.transfers[key] = Transfer(
                item: item,
                url: url,
                part: part,
                startNs: nowNs,
                isPlaylist: EngineRequest.isPlaylist(url: url)
            )
            return state.items.first { $0.id == item }?.pacing
        }
        guard let pacing else { return }
        pacing.awaitTurn(of: url)
        change(key) { $0.startNs = MonotonicClock.nowNs() }
    }

    private func change(_ key: UInt, _ body: (inout Transfer) -> Void) {
        state.with { state in
            guard var transfer = state.transfers[key] else { return }
            body(&transfer)
            state.transfers[key] = transfer
        }
    }

    private func finish(_ message: UnsafeMutablePointer<GObject>, _ key: UInt, _ nowNs: Int64) {
        let found = state.with { state -> (Transfer, Item)? in
            guard let transfer = state.transfers.removeValue(forKey: key) else {
                Self.missConnection(&state, key)
                return nil
            }
            return state.items.first { $0.id == transfer.item }.map { (transfer, $0) }
        }
        guard let (transfer, item) = found else { return }
        let status = unsafe soup.status(of: unsafe message)
        let url = unsafe OutgoingRequests.shared.plain(soup.address(of: unsafe message))
        var request = EngineRequest(url: url, status: status >= 100 ? status : nil)
        request.contentLength = unsafe soup.header("Content-Length", in: "response-headers", of: message)
            .flatMap { Int64($0) }
        request.contentType = unsafe soup.header("Content-Type", in: "response-headers", of: message)
        Self.time(&request, of: transfer, endNs: nowNs)
        request.isOfDemuxer = true
        request.isGivenUp = status == Self.cancelled
        request.isIncomplete = !transfer.hasBody && (request.succeeded || request.status == nil)
        let isRefused = !request.isGivenUp && (request.isIncomplete || !request.succeeded)
        item.pacing.finished(transfer.url, succeeded: !isRefused)
        item.mailbox.post(.transfer(request))
        guard !request.isGivenUp else { return }
        item.detours.finished(transfer.part, status: request.status, succeeded: !isRefused) { item.post($0) }
    }

    /// Ends the item whose media playlist has not a byte, before the demuxer gets that.
    ///
    /// GStreamer 1.22 ends the whole process over it. Nothing but this thread, which is the demuxer's own and the
    /// item's, can keep the answer from it: it goes no further, and the pipeline is left behind.
    private func refuseEmptyPlaylist(_ message: UnsafeMutablePointer<GObject>, _ key: UInt, _ nowNs: Int64) {
        let status = unsafe soup.status(of: message)
        let length = unsafe soup.header("Content-Length", in: "response-headers", of: message)
        // The answer says so, or is of a kind that has no body.
        guard (200..<300).contains(status) && length == "0" || [204, 205, 304].contains(status) else { return }
        let mailbox = state.with { state -> Mailbox? in
            guard let transfer = state.transfers[key], transfer.isPlaylist else { return nil }
            return state.mailbox(of: transfer.item)
        }
        guard let mailbox else { return }
        change(key) { $0.hasBody = true }
        unsafe finish(message, key, nowNs)
        let reason = "a media playlist is empty"
        mailbox.post(.error(RawEngineError(domain: "gst-stream-error-quark", code: 5, message: reason)))
        Self.park()
    }

    /// Keeps this thread for good: no signal of the process is handed to it, and nobody wakes it.
    static func park() -> Never {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let never = Condition(0)
        while true { _ = never.wait(until: nil) { _ in nil as Bool? } }
    }

    /// libsoup 2.4's status of a request that was given up; version 3 has none for it.
    private static let cancelled = 1
}

/// What reading a message takes of libsoup 3 or 2.4: GStreamer loads one, and a process cannot have both.
@safe struct SoupLibrary {
    private typealias TypeFunction = @convention(c) () -> GType
    private typealias AddressFunction = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias TextFunction2 =
        @convention(c) (UnsafeMutableRawPointer?, gboolean) -> UnsafeMutablePointer<CChar>?
    private typealias TextFunction3 = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CChar>?
    typealias SetFunction = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void
    private typealias HeaderFunction =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>?

    let messageType: GType
    /// The type of what makes the requests, and the function that leads one elsewhere; only version 3 has that.
    let session: (type: GType, setAddress: SetFunction)?
    private let address: AddressFunction
    private let text2: TextFunction2?
    private let text3: TextFunction3?
    private let header: HeaderFunction

    /// The library that is loaded; nil when there is none.
    static func loaded() -> (handle: UnsafeMutableRawPointer, isVersion3: Bool)? {
        for name in ["libsoup-3.0.so.0", "libsoup-2.4.so.1"] {
            guard let handle = unsafe dlopen(name, RTLD_NOLOAD | RTLD_LAZY) else { continue }
            return unsafe (handle, name.contains("3.0"))
        }
        return nil
    }

    /// Finds the library that is loaded; nil when there is none, or it lacks a function.
    init?() {
        guard let (library, isVersion3) = unsafe Self.loaded(),
            let type = unsafe dlsym(library, "soup_message_get_type"),
            let address = unsafe dlsym(library, "soup_message_get_uri"),
            let header = unsafe dlsym(library, "soup_message_headers_get_one")
        else { return nil }
        unsafe self.address = unsafe unsafeBitCast(address, to: AddressFunction.self)
        unsafe self.header = unsafe unsafeBitCast(header, to: HeaderFunction.self)
        if isVersion3 {
            guard let text = unsafe dlsym(nil, "g_uri_to_string") else { return nil }
            unsafe text3 = unsafe unsafeBitCast(text, to: TextFunction3.self)
            unsafe text2 = nil
        } else {
            guard let text = unsafe dlsym(library, "soup_uri_to_string") else { return nil }
            unsafe text2 = unsafe unsafeBitCast(text, to: TextFunction2.self)
            unsafe text3 = nil
        }
        messageType = unsafe unsafeBitCast(type, to: TypeFunction.self)()
        if isVersion3, let type = unsafe dlsym(library, "soup_session_get_type"),
            let set = unsafe dlsym(library, "soup_message_set_uri")
        {
            unsafe session = unsafe (
                unsafeBitCast(type, to: TypeFunction.self)(), unsafeBitCast(set, to: SetFunction.self)
            )
        } else {
            unsafe session = nil
        }
    }

    func address(of message: UnsafeMutablePointer<GObject>) -> String {
        let uri = unsafe address(message)
        guard let text = unsafe text2?(uri, 0) ?? text3?(uri) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }

    /// A header of a message: of its request or its response, by the name of the property that has them.
    func header(_ name: String, in property: String, of message: UnsafeMutablePointer<GObject>) -> String? {
        unsafe GObjectProperties(object: message).read(property) { holder in
            guard let headers = unsafe g_value_get_boxed(holder), let value = unsafe header(headers, name) else {
                return nil
            }
            return unsafe String(cString: value)
        }
    }

    /// The status of a message; below 100 it is none of a server's.
    func status(of message: UnsafeMutablePointer<GObject>) -> Int {
        let properties = unsafe GObjectProperties(object: message)
        return unsafe properties.read("status-code") { holder in unsafe Int(g_value_get_uint(holder)) } ?? 0
    }
}
