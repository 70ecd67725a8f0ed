// The names and what is said of them are the header's: the compiler holds each function against it.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CTally
internal import EventModel
internal import Tally
internal import TallyEmbedding

@c @implementation public func tally_adapter_start(
    _ telemetry: OpaquePointer!,
    _ options: UnsafePointer<tally_run_options>!,
    _ player: UnsafePointer<tally_attribute>!,
    _ count: Int,
    _ error: UnsafeMutablePointer<tally_error>!
) -> OpaquePointer! {
    unsafe CError.filling(error, else: nil) { () throws(EmbeddingError) in
        let handle = try unsafe TallyHandle.open(telemetry, "tally_adapter_start")
        let said = unsafe RunHandle.read(options)
        let adapter = try AdapterHandle(
            in: handle,
            archive: unsafe String(orNil: said.archive),
            begunNs: unsafe said.begun_ns,
            player: unsafe TrackedCall.Attribute.all(player, count)
        )
        return unsafe OpaquePointer(Unmanaged.passRetained(adapter).toOpaque())
    }
}

@c @implementation public func tally_signal(
    _ adapter: OpaquePointer!,
    _ timeNs: Int64,
    _ signal: UnsafePointer<CChar>!,
    _ attributes: UnsafePointer<tally_attribute>!,
    _ count: Int
) -> Int32 {
    guard !ProcessEnd.isOver else { return Int32(TALLY_ENDED) }
    guard let handle = unsafe AdapterHandle.behind(adapter) else { return Int32(TALLY_NO_RUN) }
    guard let name = unsafe String(orNil: signal) else { return Int32(TALLY_UNKNOWN_EVENT) }
    return handle.follow(name, unsafe TrackedCall.Attribute.all(attributes, count), at: timeNs)
}

@c @implementation public func tally_adapter_run(_ adapter: OpaquePointer!) -> OpaquePointer! {
    guard let handle = unsafe AdapterHandle.behind(adapter)?.handle else { return nil }
    return unsafe OpaquePointer(Unmanaged.passUnretained(handle).toOpaque())
}

@c @implementation public func tally_adapter_free(_ adapter: OpaquePointer!, _ limitMs: Int64) {
    guard let adapter = unsafe adapter, !ProcessEnd.isOver else { return }
    let handle = unsafe Unmanaged<AdapterHandle>.fromOpaque(UnsafeRawPointer(adapter))
    unsafe handle.takeUnretainedValue().end(limit: limitMs)
    unsafe handle.release()
}

extension AdapterHandle {
    fileprivate static func behind(_ pointer: OpaquePointer?) -> AdapterHandle? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Unmanaged<AdapterHandle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}
