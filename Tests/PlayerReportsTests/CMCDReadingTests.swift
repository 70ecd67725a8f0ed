internal import PlayerReports
internal import Testing

/// How records of CMCD are read, and where they are found.
struct CMCDReadingTests {
    @Test("A record is read, or refused, as the vectors say", arguments: CMCDVector.all)
    func vector(_ vector: CMCDVector) {
        var result = ""
        do throws(CMCDRecord.Refusal) {
            result = try CMCDRecord(vector.input, as: vector.mode).described
        } catch {
            result = "refused \(error.rawValue)"
        }
        #expect(result == vector.result, "vector \(vector.number)")
    }

    @Test("The version says how a record is read")
    func versions() throws {
        #expect(try CMCDRecord("e=t,ts=1,v=2", as: .event).version == 2)
        #expect(try CMCDRecord("br=5000,ot=v", as: .request).version == 1)
        #expect(throws: CMCDRecord.Refusal.version) { try CMCDRecord("v=3", as: .request) }
        #expect(try CMCDRecord("v=1,bl=900", as: .request).integers(.bl) == [CMCDValue.Typed(900)])
    }

    @Test("A body's records stand for themselves")
    func body() throws {
        let bytes = Array("a=(,v=2\ne=t,ts=2,v=2\r\n\n  e=um,ts=3,v=2  ".utf8)
        let records = try CMCDBody.records(in: bytes)
        #expect(records == ["a=(,v=2", "e=t,ts=2,v=2", "e=um,ts=3,v=2"])
        let read = records.map { try? CMCDRecord($0, as: .event).event }
        #expect(read == [nil, .interval, .unmuted])
        #expect(try CMCDBody.records(in: Array("e=t,ts=1,v=2\n".utf8)).count == 1)
    }

    @Test("A body without a record, of other text or too long is refused")
    func refusedBodies() {
        for empty in ["", " \n  \n", "\r\n"] {
            #expect(throws: CMCDBody.Refusal.empty) { try CMCDBody.records(in: Array(empty.utf8)) }
        }
        #expect(throws: CMCDBody.Refusal.notUTF8) { try CMCDBody.records(in: [0x61, 0xFF]) }
        let long = [UInt8](repeating: 0x61, count: CMCDBody.longest + 1)
        #expect(throws: CMCDBody.Refusal.tooLong) { try CMCDBody.records(in: long) }
    }

    @Test("A record that is too long or has too many keys is refused by itself")
    func limits() throws {
        let long = "e=t,ts=1,v=2,com.a-b=\"\(String(repeating: "x", count: 65_536))\""
        #expect(throws: CMCDRecord.Refusal.tooLong) { try CMCDRecord(long, as: .event) }
        let keys = (0..<256).map { "k\($0)" }.joined(separator: ",")
        #expect(try CMCDRecord(keys, as: .request).fields.isEmpty)
        #expect(throws: CMCDRecord.Refusal.tooManyKeys) { try CMCDRecord("\(keys),k256", as: .request) }
    }

    @Test("Media types are known without parameters, in any case")
    func mediaTypes() {
        for type in ["application/cmcd", "Application/CMCD; charset=utf-8", "text/cmcd"] {
            #expect(CMCDBody.isNamed(by: type))
        }
        for type in ["", "application/json", "application/cmcdx"] { #expect(!CMCDBody.isNamed(by: type)) }
    }

    @Test("The argument CMCD is decoded once, by the rules of forms, and its name is in capitals")
    func query() throws {
        func read(_ target: String) throws -> String? {
            try CMCDRequest(target: target).map { try CMCDRecord($0.dictionary, as: .request).described }
        }
        #expect(try read("/s.m4s?a=1&CMCD=br%3D(3000%3Bv+164%3Ba)%2Cv%3D2") == "br [3000{v}, 164{a}]")
        #expect(try read("?CMCD=cid%3D%22a%2526b%22%2Cv%3D2") == #"cid "a%26b""#)
        #expect(try read("?CMCD=br%3D(3000%3Bv%20164%3Ba)%2Cv%3D2#CMCD=x") == "br [3000{v}, 164{a}]")
        #expect(try read("?cmcd=v%3D2") == nil)
        #expect(try read("/CMCD=v%3D2") == nil)
        #expect(throws: StructuredParser.Fault.syntax) { try read("?CMCD=cid%3D%22%FF%22") }
    }

    @Test("Headers win over the URL, and one that is malformed costs itself alone")
    func headers() throws {
        let request = try CMCDRequest(
            target: "/?CMCD=sid%3D%22t%22",
            headers: [("cmcd-SESSION", #"sid="s",v=2"#), ("CMCD-Request", "bl=("), ("Accept", "*/*")]
        )
        let read = try #require(request)
        #expect(try CMCDRecord(read.dictionary, as: .request).described == #"sid "s""#)
        #expect(read.droppedHeaders == 1)
    }
}
