internal import PlayerReports

/// Records, and what is taken of them.
///
/// In results ⟨x⟩ is a token, "x" a string, and 5000{v} an item with an object type or a range; `drop` names keys that
/// were left out. The version has no word of its own.
struct CMCDVector: Sendable {
    let number: String
    let mode: CMCDRecord.Mode
    let input: String
    let result: String

    init(_ number: String, _ mode: CMCDRecord.Mode, _ input: String, _ result: String) {
        self.number = number
        self.mode = mode
        self.input = input
        self.result = result
    }

    static let all: [CMCDVector] =
        [
            CMCDVector("1", .event, #"e=t,ts=1764752400000,v=2"#, "e ⟨t⟩, ts 1764752400000"),
            CMCDVector("2", .event, #"v=2,ts=5,e=t"#, "ts 5, e ⟨t⟩"),
            CMCDVector(
                "2b",
                .event,
                #"e=ps,sid="s1",sn=4,sta=r,ts=1764752401250,v=2"#,
                #"e ⟨ps⟩, sid "s1", sn 4, sta ⟨r⟩, ts 1764752401250"#
            ),
            CMCDVector("3", .request, #"br=(5000;v 320;a),v=2"#, "br [5000{v}, 320{a}]"),
            CMCDVector("4", .request, #"br=(5000),v=2"#, "br [5000]"),
            CMCDVector("4b", .request, #"br=(),v=2"#, "br []"),
            CMCDVector("5", .request, #"br=5000,v=2"#, "drop br"),
            CMCDVector("6", .request, #"br=5000,ot=v"#, "br [5000{v}], ot ⟨v⟩"),
            CMCDVector("7", .request, #"br=( 5000;v   320;a ),v=2"#, "br [5000{v}, 320{a}]"),
            CMCDVector("7b", .request, #"br=(5000; v 320;a),v=2"#, "br [5000{v}, 320{a}]"),
            CMCDVector("8", .request, "br=(5000;v\t320;a),v=2", "refused syntax"),
            CMCDVector("8b", .request, #"br=(5000 ;v),v=2"#, "refused syntax"),
            CMCDVector("9", .request, #"br=("5000" 320;a),v=2"#, "drop br"),
            CMCDVector("9b", .request, #"mtp=(24000.5),v=2"#, "drop mtp"),
            CMCDVector("10", .request, #"bl=(0;v 2000;a), bs , sta=r,v=2"#, "bl [0{v}, 2000{a}], bs true, sta ⟨r⟩"),
            CMCDVector("11", .request, #"bg,bs=?0,su=?1,v=2"#, "bg true, bs false, su true"),
            CMCDVector("12", .request, #"su=?2,v=2"#, "refused syntax"),
            CMCDVector("12b", .request, #"sid="abc,v=2"#, "refused syntax"),
            CMCDVector("12c", .request, #"Sid="x",v=2"#, "refused syntax"),
            CMCDVector("13", .request, #"su=1,v=2"#, "drop su"),
            CMCDVector("13b", .request, #"sid=abc,v=2"#, "drop sid"),
            CMCDVector("13c", .request, "sid=\"\(String(repeating: "x", count: 65))\",v=2", "drop sid"),
            CMCDVector("14", .request, #"sid="a\"b\\c",v=2"#, #"sid "a"b\c""#),
            CMCDVector("15", .request, #"sid="a\n",v=2"#, "refused syntax"),
            CMCDVector("15b", .request, "cid=\"a\u{1}\",v=2", "refused syntax"),
            CMCDVector("16", .request, #"cid="café",v=2"#, #"cid "café""#),
            CMCDVector("17", .request, #"pr=0.5,v=2"#, "pr 0.5"),
            CMCDVector("17b", .request, #"pr=2,v=2"#, "pr 2.0"),
            CMCDVector("18", .request, #"pr=1.,v=2"#, "refused syntax"),
            CMCDVector("18b", .request, #"pr=.5,v=2"#, "refused syntax"),
            CMCDVector("18c", .request, #"pr=1.2345,v=2"#, "refused syntax"),
            CMCDVector("19", .request, #"pt=30000.0,v=2"#, "drop pt"),
            CMCDVector("20", .event, #"e=t,ts=1000000000000000,v=2"#, "refused syntax"),
            CMCDVector("20b", .event, #"e=t,ts=1e12,v=2"#, "refused syntax"),
            CMCDVector("20c", .event, #"e=t,ts=+5,v=2"#, "refused syntax"),
            CMCDVector("21", .event, #"e=t,ts=007,v=2"#, "e ⟨t⟩, ts 7"),
            CMCDVector("21b", .event, #"e=t,ts=999999999999999,v=2"#, "e ⟨t⟩, ts 999999999999999"),
            CMCDVector("22", .request, #"v=2,"#, "refused syntax"),
            CMCDVector("22b", .request, #",v=2"#, "refused syntax"),
            CMCDVector("22c", .request, #"sn=1,,v=2"#, "refused syntax"),
            CMCDVector("23", .request, #"sid="a",sid="b",v=2"#, #"sid "b""#),
            CMCDVector(
                "24",
                .request,
                #"nor=("seg-2.m4v" "seg-3.m4v";r="0-1023"),v=2"#,
                #"nor ["seg-2.m4v", "seg-3.m4v"{0-1023}]"#
            ),
            CMCDVector("25", .request, #"nor="..%2Fseg.m4v",nrr="12-99""#, #"nor ["../seg.m4v"{12-99}]"#),
            CMCDVector("26", .event, #"e=e,ec=27,ts=5,v=2"#, "e ⟨e⟩, ts 5, drop ec, incomplete"),
            CMCDVector("26b", .event, #"e=e,ec=("2001"),ts=5,v=2"#, #"e ⟨e⟩, ec ["2001"], ts 5"#),
            CMCDVector("27", .request, #"com.acme-room="kitchen",v=2"#, #"com.acme-room "kitchen""#),
            CMCDVector("27b", .request, #"com.acme-room=kitchen,v=2"#, "com.acme-room ⟨kitchen⟩"),
            CMCDVector("28", .request, #"zz=9,sid="q",v=2"#, #"sid "q""#),
            CMCDVector("29", .event, #"e=t,ts=1,v=3"#, "refused version"),
            CMCDVector("29b", .event, #"e=t,ts=1"#, "refused version"),
            CMCDVector("30", .event, #"e=xx,ts=1,v=2"#, "refused no_event"),
            CMCDVector("31", .event, #"e=ps,sta=z,ts=1,v=2"#, "e ⟨ps⟩, ts 1, drop sta, incomplete"),
            CMCDVector("32", .event, #"e=t,v=2"#, "refused no_time"),
            CMCDVector("32b", .event, #"e=t,ts=1.5,v=2"#, "refused no_time"),
            CMCDVector("33", .event, #"e=b,ts=1,v=2"#, "e ⟨b⟩, ts 1"),
            CMCDVector("33b", .event, #"e=b,bg=?0,ts=1,v=2"#, "e ⟨b⟩, bg false, ts 1"),
            CMCDVector("33c", .event, #"e=b,bg,ts=1,v=2"#, "e ⟨b⟩, bg true, ts 1"),
            CMCDVector("34", .event, #"e=t,cen="x",rc=200,ts=1,v=2"#, "e ⟨t⟩, ts 1, drop cen, drop rc"),
            CMCDVector("35", .event, #"e = t,ts=1,v=2"#, "refused syntax"),
            CMCDVector("35b", .event, #"e=t;x=1,ts=1,v=2"#, "e ⟨t⟩, ts 1"),
        ] + beyond

    /// Rules that the numbered ones do not show.
    private static let beyond: [CMCDVector] = [
        CMCDVector("bytes of a reserved key", .request, #"sid=:AQID:,pt=@1,v=2"#, "drop sid, drop pt"),
        CMCDVector("broken bytes", .request, #"a-b=:A=Q:,v=2"#, "refused syntax"),
        CMCDVector("a type as a word", .request, #"br=(9;ot=v;x=1 8;a=?0),v=2"#, "br [9{v}, 8]"),
        CMCDVector("below zero", .request, #"sn=-1,d=-5,bl=(-1),v=2"#, "drop sn, drop d, drop bl"),
        CMCDVector("keys of version 2 in 1", .request, #"sta=p,pt=5,e=t,ts=1,bl=900"#, "bl [900]"),
        CMCDVector(
            "words of version 2 in 1",
            .request,
            #"sf=e,st=ll,br=300.5,ot=a"#,
            "br [301{a}], ot ⟨a⟩, drop sf, drop st"
        ),
        CMCDVector("no version at all", .request, #"v="2",bl=900"#, "bl [900], drop v"),
        CMCDVector("version 0", .request, #"v=0,bl=900"#, "bl [900]"),
        CMCDVector(
            "events in request mode",
            .request,
            #"e=t,ts=1,h="x",rc=200,v=2"#,
            "drop e, drop ts, drop h, drop rc"
        ),
        CMCDVector("custom of the wrong form", .request, #"-=1"#, "refused syntax"),
        CMCDVector("custom list", .request, #"a-b=(1),c-=1,a_b=1,d-e=1.5,v=2"#, "d-e 1.5, drop a-b"),
        CMCDVector("ranges in version 2", .request, #"nrr="1-2",v=2"#, ""),
        CMCDVector("a tab behind a comma", .request, "bs,\tsu \t,v=2", "bs true, su true"),
        CMCDVector("a tab in a list", .request, "br=(\t5000),v=2", "refused syntax"),
        CMCDVector("nothing", .request, "", ""),
    ]
}

extension CMCDRecord {
    /// The record as the results say it.
    var described: String {
        var parts = fields.filter { $0.key != .v }.map { "\($0.key.rawValue) \($0.value.described)" }
        parts += custom.map { "\($0.key) \($0.value.described)" }
        parts += dropped.map { "drop \($0)" }
        if isIncomplete { parts.append("incomplete") }
        return parts.joined(separator: ", ")
    }
}

extension CMCDValue {
    fileprivate var described: String {
        switch self {
        case .integer(let number): "\(number)"
        case .decimal(let thousandths): "\(Double(thousandths) / 1000)"
        case .boolean(let truth): "\(truth)"
        case .token(let word): "⟨\(word)⟩"
        case .string(let text): "\"\(text)\""
        case .integers(let items):
            "[\(items.map { item in "\(item.number)\(item.type.map { "{\($0)}" } ?? "")" }.joined(separator: ", "))]"
        case .strings(let items):
            "[\(items.map { item in "\"\(item.text)\"\(item.range.map { "{\($0)}" } ?? "")" }.joined(separator: ", "))]"
        case .bytes(let base64): ":\(base64):"
        case .date(let seconds): "@\(seconds)"
        }
    }
}
