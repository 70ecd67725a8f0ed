import PluginKit
import Testing

/// State that is written and read by the same lines.
@Suite struct StateTransferTests {
    private enum Colour: Int, StateValue {
        static var blank: Colour { .red }

        case red, green, blue
    }

    /// Something of everything.
    private struct Everything: StateValue, Equatable {
        static var blank: Everything { Everything() }

        var number: Int64 = 0
        var word: UInt64 = 0
        var count = 0
        var fraction = 0.0
        var truth = false
        var text = ""
        var maybe: Int64?
        var texts: [String] = []
        var nested: [[Int64?]] = []
        var colour = Colour.red

        mutating func carry(by transfer: StateTransfer) {
            transfer.carry(&number)
            transfer.carry(&word)
            transfer.carry(&count)
            transfer.carry(&fraction)
            transfer.carry(&truth)
            transfer.carry(&text)
            transfer.carry(&maybe)
            transfer.carry(&texts)
            transfer.carry(&nested)
            transfer.carry(&colour)
        }
    }

    private static let example = Everything(
        number: .min,
        word: .max,
        count: -3,
        fraction: 0.1 + 0.2,
        truth: true,
        text: "Straße 👩‍🚀",
        maybe: 0,
        texts: ["", "b"],
        nested: [[], [nil, 7]],
        colour: .blue
    )

    private static let bytes: [UInt8] = {
        var value = example
        return StateTransfer.save { $0.carry(&value) }
    }()

    @Test("What is written is read again, to the bit")
    func roundTrip() throws {
        var value = Everything()
        try StateTransfer.load(Self.bytes) { $0.carry(&value) }
        #expect(value == Self.example)
        #expect(value.fraction.bitPattern == (0.1 + 0.2).bitPattern)
    }

    @Test("State that is cut off anywhere is refused")
    func cut() {
        for length in 0..<Self.bytes.count {
            #expect(throws: TrackerFault.self, "\(length) bytes") {
                var value = Everything()
                try StateTransfer.load(Array(Self.bytes[..<length])) { $0.carry(&value) }
            }
        }
    }

    @Test("State with bytes to spare is refused, and the fault says where")
    func spare() {
        let fault = #expect(throws: TrackerFault.self) {
            var value = Everything()
            try StateTransfer.load(Self.bytes + [0, 0]) { $0.carry(&value) }
        }
        #expect(fault?.message.contains("2 bytes are left, before byte \(Self.bytes.count)") == true)
    }

    @Test("A byte that was changed is read as another value or refused, and nothing worse")
    func changed() {
        for place in Self.bytes.indices {
            for bit in 0..<8 {
                var bytes = Self.bytes
                bytes[place] ^= 1 << UInt8(bit)
                var value = Everything()
                do throws(TrackerFault) {
                    try StateTransfer.load(bytes) { $0.carry(&value) }
                    #expect(value != Self.example, "byte \(place), bit \(bit) says nothing")
                } catch {
                    #expect(error.message.contains("cannot be taken over"))
                }
            }
        }
    }

    @Test("State of something else is refused")
    func other() {
        var number: Int64 = 5
        let bytes = StateTransfer.save { $0.carry(&number) }
        #expect(throws: TrackerFault.self) {
            var text = ""
            try StateTransfer.load(bytes) { $0.carry(&text) }
        }
    }
}
