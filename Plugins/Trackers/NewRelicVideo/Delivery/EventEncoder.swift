internal import PluginKit

/// Writes events as the Event API takes them: flat JSON objects within its limits.
struct EventEncoder {
    private static let buffers = ThreadShared { ByteBuffer(capacity: 4096) }

    /// Writes an event, lent until the next one is written; what breaks a limit is cut or left out, and counted.
    func encode(_ attributes: EventAttributes, _ statistics: inout DeliveryStatistics) -> ByteBuffer {
        let buffer = Self.buffers.value
        buffer.removeAll()
        var writer = JSONWriter(buffer)
        var count = 0
        writer.beginObject()
        for attribute in attributes.list {
            guard Self.isLegal(attribute) else {
                statistics.namesRefused += 1
                continue
            }
            guard count < EventAPILimits.attributes else {
                statistics.attributesTooMany += 1
                continue
            }
            switch attribute.value {
            case .double(let number) where !number.isFinite, .decimal(let number) where !number.isFinite:
                statistics.valuesRefused += 1
                continue
            default: break
            }
            count += 1
            writer.key(attribute.name)
            switch attribute.value {
            case .int(let number): writer.int(number)
            case .double(let number): writer.double(number)
            case .decimal(let number): EventValue.shortest(number).write(to: &writer)
            case .text(let text):
                let cut = Self.cut(text, to: EventAPILimits.valueCharacters)
                statistics.valuesCut += cut.count < text.count ? 1 : 0
                writer.string(cut)
            }
        }
        writer.endObject()
        return buffer
    }

    /// Whether the service takes the name: it keeps some for itself.
    private static func isLegal(_ attribute: EventAttribute) -> Bool {
        let name = attribute.name
        if cut(name, to: EventAPILimits.nameCharacters).count < name.count { return false }
        if name == "accountId" || name.hasPrefix("entity.") { return false }
        if name == "appId" {
            guard case .int = attribute.value else { return false }
        }
        return true
    }

    /// The text's first characters; nothing is cut inside of one.
    private static func cut(_ text: UTF8Text, to characters: Int) -> UTF8Text {
        guard text.count > characters else { return text }
        var seen = 0
        for index in 0..<text.count where unsafe text.bytes[index] & 0xC0 != 0x80 {
            if seen == characters { return unsafe UTF8Text(start: text.start, count: index) }
            seen += 1
        }
        return text
    }
}

/// Events that wait for the next request.
final class EventBatch {
    /// When and how large a request may be.
    let limits: HarvestLimits
    /// How long events wait for the first request of all, us.
    let firstWait: Int64
    /// The timer that ends the wait.
    var timer: TimerID?
    /// The events, separated by commas.
    let events = ByteBuffer()
    /// The records that they are.
    private(set) var ordinals: [UInt64] = []
    /// How many.
    var count: Int { ordinals.count }

    init(_ limits: HarvestLimits, firstWait: Int64?) {
        self.limits = limits
        self.firstWait = firstWait ?? limits.period
    }

    /// Bytes of a request with these and a further event.
    func bytes(with event: ByteBuffer) -> Int {
        // The brackets, and a comma before each event but the first.
        events.count + event.count + (events.isEmpty ? 2 : 3)
    }

    func append(_ event: ByteBuffer, _ ordinal: UInt64) {
        if !events.isEmpty { events.append(UInt8(ascii: ",")) }
        events.append(event)
        ordinals.append(ordinal)
    }

    func removeAll() {
        events.removeAll()
        ordinals.removeAll(keepingCapacity: true)
    }
}

/// What New Relic's Event API takes; the plugin's page says where each number comes from.
package enum EventAPILimits {
    /// Bytes of a request's body before it is compressed.
    package static let requestBytes = 1_000_000
    /// Attributes of an event, with those that the service itself adds left free.
    package static let attributes = 254
    /// Characters of an attribute's name.
    package static let nameCharacters = 255
    /// Characters of a text.
    package static let valueCharacters = 4096
    /// How old an event may be, s.
    package static let ageSeconds: Int64 = 86_400
}
