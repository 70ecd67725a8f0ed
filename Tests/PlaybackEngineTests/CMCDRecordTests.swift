import PlaybackEngine
import Testing

/// How CMCD is written (CTA-5004; CTA-5004-B; RFC 8941).
struct CMCDRecordTests {
    private static let full = {
        var record = CMCDRecord()
        (record.objectType, record.bitrate, record.topBitrate) = (.video, 3_200_499, 5_999_500)
        (record.lowestBitrate, record.shownBitrate, record.durationMs) = (200_000, 1_000_000, 4004)
        (record.bufferMs, record.targetBufferMs, record.deadlineMs) = (9849, 30_000, 4950)
        (record.throughput, record.isUrgent, record.sequence, record.state) = (24_049_999, true, 7, .rebuffering)
        (record.playheadMs, record.droppedFrames, record.contentID) = (30_012, 3, "film \"9\"\\")
        (record.sessionID, record.format, record.isLive, record.startDelayMs) = ("7c1e", .hls, false, 812)
        (record.hasStarved, record.starvationsMs, record.starvationCount, record.starvedMs) = (
            true, [400, 1200], 2, 1600
        )
        record.rate = 1.5
        return record
    }()

    @Test("Version 1 has its keys in order, in the headers of the standard, rounded as it says")
    func version1() {
        let headers = Self.full.headers(version: 1).map { "\($0.name): \($0.value)" }
        #expect(
            headers == [
                "CMCD-Object: br=3200,d=4004,ot=v,tb=6000",
                "CMCD-Request: bl=9800,dl=5000,mtp=24000,su",
                "CMCD-Session: cid=\"film \\\"9\\\"\\\\\",sf=h,sid=\"7c1e\",st=v",
                "CMCD-Status: bs,pr=1.5",
            ]
        )
        #expect(
            Self.full.payload(version: 1)
                == "bl=9800,br=3200,bs,cid=\"film \\\"9\\\"\\\\\",d=4004,dl=5000,mtp=24000,ot=v,pr=1.5,sf=h,sid=\"7c1e\",st=v,su,tb=6000"
        )
    }

    @Test("Version 2 has lists, keys of its own, and says its version")
    func version2() {
        let headers = Self.full.headers(version: 2).map { "\($0.name): \($0.value)" }
        #expect(
            headers == [
                "CMCD-Object: br=(3200;v),d=4004,lb=(200;v),ot=v,tb=(6000;v)",
                "CMCD-Request: bl=(9800;v),dfa=3,dl=5000,mtp=(24000),pb=(1000;v),pt=30012,sn=7,sta=r,su,tbl=(30000)",
                "CMCD-Session: cid=\"film \\\"9\\\"\\\\\",msd=812,sf=h,sid=\"7c1e\",st=v,v=2",
                "CMCD-Status: bs,bsa=(2),bsd=(400 1200),bsda=(1600),pr=1.5",
            ]
        )
    }

    @Test("What is not known is left out, and a rate of 1 too")
    func unknown() {
        #expect(CMCDRecord().headers(version: 1).isEmpty)
        #expect(CMCDRecord().payload(version: 2) == "v=2")
        #expect(CMCDRecord().added(to: "http://a.example/b", version: 1) == "http://a.example/b")
        var record = CMCDRecord()
        record.rate = 1.0004
        #expect(record.payload(version: 1).isEmpty)
        record.rate = 0
        #expect(record.payload(version: 1) == "pr=0")
        record.rate = 0.25
        #expect(record.payload(version: 1) == "pr=0.25")
        record.rate = nil
        record.contentID = String(repeating: "x", count: 65)
        #expect(record.payload(version: 1).isEmpty && record.payload(version: 2).hasPrefix("cid=\"xxx"))
        record.contentID = "café\n"
        record.bufferMs = -1
        record.bitrate = .max
        #expect(record.payload(version: 1).isEmpty)
    }

    @Test("A list's item has no kind when the object has none that has a bitrate")
    func kinds() {
        var record = CMCDRecord()
        (record.objectType, record.topBitrate) = (.manifest, 900_000)
        #expect(record.payload(version: 2) == "ot=m,tb=(900),v=2")
        record.objectType = .muxed
        #expect(record.payload(version: 2) == "ot=av,tb=(900;av),v=2")
    }

    @Test(
        "In an address it is one argument, encoded whole, behind the others and before a fragment",
        arguments: [
            ("http://a.example/b", "http://a.example/b?CMCD=ot%3Dm%2Csid%3D%22s%201%22"),
            ("http://a.example/b?c=d", "http://a.example/b?c=d&CMCD=ot%3Dm%2Csid%3D%22s%201%22"),
            ("http://a.example/b?c=d#e?f", "http://a.example/b?c=d&CMCD=ot%3Dm%2Csid%3D%22s%201%22#e?f"),
        ]
    )
    func query(plain: String, added: String) {
        var record = CMCDRecord()
        (record.objectType, record.sessionID) = (.manifest, "s 1")
        #expect(record.added(to: plain, version: 1) == added)
    }
}
