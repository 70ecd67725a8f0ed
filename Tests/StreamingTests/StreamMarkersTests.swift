import Streaming
import Testing

struct StreamMarkersTests {
    private let noonUs: Int64 = 1_768_651_200_000_000
    /// Event 0x4800008F, out of network, with a break of 60.293566 s (SCTE 35, example 14.2).
    private let insert =
        "FC302F000000000000FFFFF014054800008F7FEFFE7369C02EFE0052CCF500000000000A0008435545490000013562DBA30A"

    private func playlist(_ ranges: String...) throws -> MediaPlaylist {
        let tags = ranges.map { "#EXT-X-DATERANGE:\($0)\n" }.joined()
        return try #require(MediaPlaylist(text: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + tags + "#EXTINF:2,\na\n"))
    }

    private func range(_ id: String, _ second: Int, _ rest: String) -> String {
        "ID=\"\(id)\",START-DATE=\"2026-01-17T12:00:\(second < 10 ? "0" : "")\(second)Z\",\(rest)"
    }

    @Test("A break lasts as planned until a later tag says how long it really was")
    func updated() throws {
        var markers = StreamMarkers()
        markers.add(try playlist(range("b", 10, "PLANNED-DURATION=30,SCTE35-OUT=0xFC002F")))
        #expect(markers.breaks.map(\.endUs) == [noonUs + 40_000_000])
        markers.add(try playlist(range("b", 10, "DURATION=20.5,SCTE35-IN=0xFC002F")))
        let found = try #require(markers.breaks.first)
        #expect(markers.breaks.count == 1)
        #expect([found.startUs, found.endUs] == [noonUs + 10_000_000, noonUs + 30_500_000])
        #expect(found.ads.map(\.id) == ["b"])
        #expect(found.ads.map(\.endUs) == [noonUs + 30_500_000])
    }

    @Test("Marks within a break are its ads")
    func pods() throws {
        var markers = StreamMarkers()
        markers.add(
            try playlist(
                range("pod", 0, "DURATION=20,SCTE35-OUT=0xFC"),
                range("one", 0, "DURATION=8,SCTE35-OUT=0xFC"),
                range("two", 8, "DURATION=12,SCTE35-OUT=0xFC"),
                range("later", 40, "DURATION=5,SCTE35-OUT=0xFC"),
                range("other", 3, "DURATION=5,X-COM-EXAMPLE=\"1\"")
            )
        )
        #expect(markers.breaks.map(\.id) == ["pod", "later"])
        #expect(markers.breaks.map { $0.ads.map(\.id) } == [["one", "two"], ["later"]])
    }

    @Test("Commands with their meaning in the section itself begin and end a break")
    func commands() throws {
        // A time signal with a segmentation descriptor: break start and break end of the event 5.
        let out =
            "0xFC302700000000000000FFF00506FE00000000001102" + "0F" + "43554549" + "00000005" + "7F" + "BF" + "0000"
            + "22" + "0000" + "00000000"
        let back = out.replacing("BF000022", with: "BF000023")
        var markers = StreamMarkers()
        markers.add(try playlist(range("o", 4, "SCTE35-CMD=\(out)"), range("e", 9, "SCTE35-CMD=\(back)")))
        #expect(markers.breaks.map(\.id) == ["o"])
        #expect(markers.breaks.map(\.endUs) == [noonUs + 9_000_000])
    }

    @Test("What ends a break ends it before its planned duration, be it a range of its own or a command")
    func earlyEnd() throws {
        var markers = StreamMarkers()
        markers.add(try playlist(range("a", 10, "PLANNED-DURATION=30,SCTE35-OUT=0xFC002F")))
        markers.add(try playlist(range("in", 15, "SCTE35-IN=0xFC002F")))
        #expect(markers.breaks.map(\.endUs) == [noonUs + 15_000_000])
        #expect(markers.breaks.map { $0.ads.map(\.endUs) } == [[noonUs + 15_000_000]])

        // The break of the insert would last a minute; the same event is back in the network.
        let back = insert.replacing("8F7FEFFE", with: "8F7F6FFE")
        var commands = StreamMarkers()
        commands.add(try playlist(range("o", 4, "SCTE35-CMD=0x\(insert)"), range("e", 9, "SCTE35-CMD=0x\(back)")))
        #expect(commands.breaks.map(\.endUs) == [noonUs + 9_000_000])

        // A duration that is no plan stays, and so does a plan that ends before.
        var others = StreamMarkers()
        others.add(
            try playlist(
                range("said", 0, "DURATION=8,SCTE35-OUT=0xFC"),
                range("in", 4, "SCTE35-IN=0xFC"),
                range("planned", 20, "PLANNED-DURATION=5,SCTE35-OUT=0xFC"),
                range("late", 40, "SCTE35-IN=0xFC")
            )
        )
        #expect(others.breaks.map(\.endUs) == [noonUs + 8_000_000, noonUs + 25_000_000])
    }

    @Test("The end of one ad of a break is not that of the break")
    func adEnd() throws {
        // A segmentation descriptor of the event 5: a break, and the start and end of a provider's ad of the event 6.
        let out =
            "0xFC302700000000000000FFF00506FE00000000001102" + "0F" + "43554549" + "00000005" + "7F" + "BF" + "0000"
            + "22" + "0000" + "00000000"
        let ad = out.replacing("00000005", with: "00000006")
        var markers = StreamMarkers()
        markers.add(
            try playlist(
                range("break", 0, "PLANNED-DURATION=30,SCTE35-OUT=0xFC"),
                range("ad", 0, "SCTE35-CMD=\(ad.replacing("BF000022", with: "BF000030"))"),
                range("over", 9, "SCTE35-CMD=\(ad.replacing("BF000022", with: "BF000031"))")
            )
        )
        #expect(markers.breaks.map(\.endUs) == [noonUs + 30_000_000])
        #expect(markers.breaks.map { $0.ads.map(\.endUs) } == [[noonUs + 9_000_000]])
    }

    @Test("A splice insert says whether it leaves the main content, and for how long")
    func spliceInsert() throws {
        let splice = try #require(SpliceInformation(hex: "0x" + insert))
        #expect(splice.mark == .out)
        #expect(splice.eventID == 0x4800_008F)
        #expect(splice.durationUs == 60_293_566)
        for text in ["", "0x", "FC", "0xFCZZ", "0xFD30", String(insert.dropLast())] {
            #expect(SpliceInformation(hex: text) == nil)
        }
    }

    @Test("A damaged section is read as far as it goes")
    func damagedSections() {
        let hex = Array(insert.utf8)
        var random = Random(state: 5)
        var read = 0
        for _ in 0..<5000 {
            var digits = hex
            for _ in 0...random.next(6) {
                digits[Int(random.next(UInt64(digits.count)))] = Array("0123456789ABCDEF".utf8)[Int(random.next(16))]
            }
            if random.next(3) == 0 { digits.removeLast(2 * Int(random.next(20))) }
            if SpliceInformation(hex: String(decoding: digits, as: UTF8.self)) != nil { read += 1 }
        }
        #expect(read > 500)
    }

    @Test("An interstitial has an asset or a list, and says how the main content goes on")
    func interstitials() throws {
        var markers = StreamMarkers()
        let kind = "CLASS=\"com.apple.hls.interstitial\""
        markers.add(
            try playlist(
                range(
                    "a",
                    1,
                    "\(kind),DURATION=6,X-ASSET-URI=\"ad.m3u8\",X-RESUME-OFFSET=0,X-RESTRICT=\"SKIP,JUMP\""
                ),
                range(
                    "b",
                    2,
                    "\(kind),X-ASSET-LIST=\"list.json\",X-PLAYOUT-LIMIT=9.5,X-SNAP=\"OUT,IN\",CUE=\"PRE,ONCE\""
                ),
                range("c", 3, kind),
                range("d", 3, "X-ASSET-URI=\"ad.mp4\"")
            )
        )
        let found = markers.interstitials
        #expect(found.map(\.id) == ["a", "b"])
        #expect(found.map(\.asset) == [.uri("ad.m3u8"), .list("list.json")])
        #expect(found.map(\.cue) == [.date, .pre])
        #expect(found.map(\.resumeOffsetUs) == [0, nil])
        #expect(found.map(\.playoutLimitUs) == [nil, 9_500_000])
        #expect(found.map(\.snapsIn) == [false, true])
        #expect(found.map(\.snapsOut) == [false, true])
        #expect(found.map(\.isSkippable) == [false, true])
        #expect(found.map(\.durationUs) == [6_000_000, nil])
        #expect(markers.breaks.isEmpty)
    }
}
