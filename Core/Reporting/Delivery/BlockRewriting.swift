internal import Coordinator
internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Applies privacy rules to events and records: writes a new block, so that nothing is left of what is dropped.
enum BlockRewriting {
    /// Delivers a record as the rules leave it.
    static func pass(
        _ output: Output,
        _ record: RecordView,
        _ rules: [PrivacyRule],
        _ hash: KeyedHash,
        _ deliver: (Output) -> Void
    ) {
        let actions = record.attributes.map { action(for: $0, rules) }
        guard actions.contains(where: { $0 != nil }) else { return deliver(output) }
        unsafe withMemory(for: record.block, record.attributes) { memory, capacity in
            var writer = unsafe BlockWriter(recordAt: memory, capacity: capacity, kind: record.kind)
            write(record.attributes, actions, hash, to: &writer)
            _ = writer.finishRecord()
            deliver(unsafe output.with(item: UnsafeRawPointer(memory)))
        }
    }

    /// Delivers an event as the rules leave it.
    static func pass(
        _ output: Output,
        _ event: EventView,
        _ rules: [PrivacyRule],
        _ hash: KeyedHash,
        _ deliver: (Output) -> Void
    ) {
        let actions = event.attributes.map { action(for: $0, rules) }
        guard actions.contains(where: { $0 != nil }) else { return deliver(output) }
        unsafe withMemory(for: event.block, event.attributes) { memory, capacity in
            var writer = unsafe BlockWriter(base: memory, capacity: capacity)
            unsafe writer.header.pointee = unsafe event.raw.pointee
            unsafe writer.state.pointee = unsafe event.state.raw.pointee
            write(event.attributes, actions, hash, to: &writer)
            guard writer.finish(type: event.type, name: event.typeName) != nil else { return }
            deliver(unsafe output.with(item: UnsafeRawPointer(memory)))
        }
    }

    /// Lends memory in which a block fits with a hash, or text in place of a number or a list, for each attribute.
    private static func withMemory(
        for block: UnsafeRawBufferPointer,
        _ attributes: AttributeList,
        _ body: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        let capacity = BlockLayout.aligned(2 * block.count + 64 * attributes.count + 512)
        unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: BlockLayout.alignment) { memory in
            guard let base = memory.baseAddress else { return }
            unsafe body(base, capacity)
        }
    }

    private static func write(
        _ attributes: AttributeList,
        _ actions: [PrivacyRule.Action?],
        _ hash: KeyedHash,
        to writer: inout BlockWriter
    ) {
        for (attribute, action) in zip(attributes, actions) {
            switch action {
            case nil: _ = writer.set(attribute, as: attribute.key)
            case .drop?: break
            case .hash?:
                set(attribute, to: unsafe AttributeText.with(attribute) { unsafe hash.text(of: $0) }, in: &writer)
            case .mask(let keep)?:
                let text = unsafe AttributeText.with(attribute) { unsafe String(decoding: $0, as: UTF8.self) }
                set(attribute, to: String(text.prefix(keep)) + "***", in: &writer)
            }
        }
    }

    /// Sets an attribute to a text; one that would be too long becomes its mask alone.
    private static func set(_ attribute: AttributeView, to text: String, in writer: inout BlockWriter) {
        let flags = unsafe attribute.raw.pointee.flags
        guard writer.set(attribute.key, attribute.name, flags: flags, .string(text)) != .written else { return }
        _ = writer.set(attribute.key, attribute.name, flags: flags, .string("***"))
    }

    private static func action(for attribute: AttributeView, _ rules: [PrivacyRule]) -> PrivacyRule.Action? {
        for rule in rules {
            guard case .attributes(let names, let personal, let action) = rule.change else { continue }
            if personal && attribute.isPersonal || names.contains(where: { unsafe $0.matches(attribute.name.bytes) }) {
                return action
            }
        }
        return nil
    }
}
