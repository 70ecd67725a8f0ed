import EventModel
import PluginABI
import Testing

/// Values in blocks and values with storage of their own.
struct ValueTests {
    private static func value(of raw: tally_attr, _ text: StaticString = "text") -> ValueView {
        var raw = raw
        return unsafe withUnsafePointer(to: &raw) { attribute in
            unsafe AttributeView(base: UnsafeRawPointer(text.utf8Start), raw: attribute).value
        }
    }

    private static func attribute(_ type: UInt8, bits: Int64 = 0, count: UInt32 = 0) -> tally_attr {
        tally_attr(key_off: 0, key_len: 1, key_id: 0, type: type, flags: 0, reserved0: 0, len: count, v: .init(i: bits))
    }

    @Test("A value is what its type says")
    func types() {
        #expect(PlainValue(Self.value(of: Self.attribute(ValueType.null))) == .null)
        #expect(PlainValue(Self.value(of: Self.attribute(ValueType.bool, bits: 1))) == .bool(true))
        #expect(PlainValue(Self.value(of: Self.attribute(ValueType.int, bits: -5))) == .int(-5))
        let half = Int64(bitPattern: (0.5).bitPattern)
        #expect(PlainValue(Self.value(of: Self.attribute(ValueType.double, bits: half))) == .double(0.5))
        #expect(PlainValue(Self.value(of: Self.attribute(ValueType.string, bits: 1, count: 2))) == .string("ex"))
        #expect(PlainValue(Self.value(of: Self.attribute(ValueType.bytes, bits: 2, count: 2))) == .bytes([0x78, 0x74]))
    }

    @Test("A type of a later version is unknown, and null where a value has to be kept")
    func unknownType() {
        for type in UInt8(7)...255 {
            guard case .unknown = Self.value(of: Self.attribute(type)) else {
                Issue.record("type \(type) is known")
                continue
            }
            #expect(PlainValue(Self.value(of: Self.attribute(type))) == .null)
        }
    }

    @Test("An attribute gives its value in one type only, and numbers as a double too")
    func accessors() throws {
        let block = TestBlock()
        var writer = block.writer()
        for (name, value) in [
            ("s", PlainValue.string("x")), ("i", .int(2)), ("d", .double(2.5)), ("b", .bool(true)), ("n", .null),
        ] {
            _ = writer.put(name, value)
        }
        let ended = writer.end()
        #expect(ended != nil)
        let list = block.event.attributes
        #expect(list.map { $0.string?.string } == ["x", nil, nil, nil, nil])
        #expect(list.map(\.int) == [nil, 2, nil, nil, nil])
        #expect(list.map(\.double) == [nil, 2, 2.5, nil, nil])
        #expect(list.map(\.bool) == [nil, nil, nil, true, nil])
    }

    @Test("Texts are compared by their bytes, at every length and in every place")
    func texts() {
        for count in 0..<40 {
            let text = [UInt8](repeating: 0x61, count: count)
            for place in -1..<count {
                var other = text
                if place >= 0 { other[place] ^= 0x80 }
                unsafe text.withUnsafeBufferPointer { left in
                    unsafe other.withUnsafeBufferPointer { right in
                        guard let left = left.baseAddress, let right = right.baseAddress else { return }
                        let leftText = unsafe UTF8Text(start: left, count: count)
                        let rightText = unsafe UTF8Text(start: right, count: count)
                        #expect((leftText == rightText) == (place < 0))
                        if count > 0 {
                            let shorter = unsafe UTF8Text(start: left, count: count - 1)
                            #expect(leftText != shorter)
                        }
                    }
                }
            }
        }
        #expect(UTF8Text("é") == "é" && UTF8Text("\u{E9}") != UTF8Text("e\u{301}"))
        #expect(UTF8Text("video_id").hasPrefix("video_") && !UTF8Text("video_id").hasPrefix("video_id_"))
        #expect(UTF8Text("x").hasPrefix("") && UTF8Text("").string == "")
    }

    @Test("A member of the state that was never reported is nil, and so is a place in an ad outside one")
    func state() {
        var raw = tally_state()
        raw.bitrate_bps = 5
        raw.playhead_ms = 1
        raw.ad_playhead_ms = -1
        unsafe withUnsafePointer(to: &raw) { pointer in
            let state = unsafe PlayerState(pointer)
            #expect(
                state.bitrate == nil && state.playheadMilliseconds == nil && state.isMuted == nil && state.width == nil
            )
        }
        raw.known = .max
        unsafe withUnsafePointer(to: &raw) { pointer in
            let state = unsafe PlayerState(pointer)
            #expect(state.bitrate == 5 && state.playheadMilliseconds == 1 && state.isMuted == false)
            #expect(state.adPlayheadMilliseconds == nil)
        }
    }
}
