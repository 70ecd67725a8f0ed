internal import AdDocuments
internal import Advertising
internal import Testing
internal import XML

/// Addresses as ad servers write them, and documents around them.
struct AddressTests {
    /// The impressions of an ad whose `Impression` has this in it.
    private func impressions(_ content: String) -> (addresses: [String], unusable: [String]) {
        let document = AdDocuments.inline("one").replacing(
            "<Creatives>",
            with: "<Impression id=\"second\">\(content)</Impression><Creatives>"
        )
        let pod = AdServer.ads(document)
        return (Array(pod.ads.first?.tracking.impressions.dropFirst() ?? []), pod.unusable)
    }

    @Test(
        "What no address may have is escaped, and what is an address already stays as it is",
        arguments: [
            ("http://t.example/a?b=c&amp;d=%20e%2Ff#g", "http://t.example/a?b=c&d=%20e%2Ff#g"),
            ("<![CDATA[http://t.example/a?c=%%CACHEBUSTER%%]]>", "http://t.example/a?c=%25%25CACHEBUSTER%25%25"),
            ("http://t.example/%%A:B_C%%/x?y=%%AD%%", "http://t.example/%25%25A:B_C%25%25/x?y=%25%25AD%25%25"),
            ("http://t.example/100%?a=5%&amp;b=%zz%4", "http://t.example/100%25?a=5%25&b=%25zz%254"),
            ("http://t.example/a b?c=d  e", "http://t.example/a%20b?c=d%20%20e"),
            ("http://t.example/?a=${X}|&quot;^`\\", "http://t.example/?a=$%7BX%7D%7C%22%5E%60%5C"),
            ("http://t.example/\u{E4}?\u{20AC}", "http://t.example/%C3%A4?%E2%82%AC"),
            ("http://t.example/[CACHEBUSTING]?[x]", "http://t.example/[CACHEBUSTING]?[x]"),
            ("\n  <![CDATA[\n  http://t.example/a\n ]]>\n ", "http://t.example/a"),
            ("http://t.example/a\n      ?b=c\t&amp;d", "http://t.example/a?b=c&d"),
            ("http://t.example<!-- the host -->/a", "http://t.example/a"),
            // VAST 4.2, 2.3.3: a CDATA section that has to be split, and an entity within one, which is none.
            ("<![CDATA[http://t.example/?s=x]]]]>\n  <![CDATA[>]]>x", "http://t.example/?s=x]]%3Ex"),
            ("<![CDATA[http://t.example/?v=1&amp;id=2]]>", "http://t.example/?v=1&amp;id=2"),
            ("//t.example/a", "http://t.example/a"),
            ("?a=http://b.example/", AdServer.base + "main.xml?a=http://b.example/"),
            ("track/a?to=https://b.example/c", AdServer.base + "track/a?to=https://b.example/c"),
            ("HTTPS://t.example:8080/a", "HTTPS://t.example:8080/a"),
        ]
    )
    func escapes(text: String, address: String) {
        let found = impressions(text)
        #expect(found.addresses == [address])
        #expect(found.unusable.isEmpty)
    }

    @Test(
        "What cannot be used is told, with the element and the document",
        arguments: ["ftp://t.example/a", "http://", "http:///a", "http://:80/", "http://a b/c", "javascript:void(0)"]
    )
    func unusable(text: String) {
        let found = impressions(text)
        #expect(found.addresses.isEmpty)
        #expect(found.unusable == ["Impression '\(text)' in '\(AdServer.base)main.xml'"])
    }

    @Test("An address that stands for none is left out without a word", arguments: ["about:blank", "", " \n "])
    func placeholder(text: String) {
        let found = impressions(text)
        #expect(found.addresses.isEmpty && found.unusable.isEmpty)
    }

    @Test("Media files, wrapped documents and tracking addresses have macros of ad servers in them")
    func serverMacros() throws {
        let media = "<MediaFile type=\"video/mp4\"><![CDATA[ad1.mp4?c=%%CACHEBUSTER%%]]></MediaFile>"
        let inner = AdDocuments.vast(AdDocuments.inline("one", media: media))
        let (pod, asked) = AdServer.resolve([
            "main.xml": AdDocuments.wrapper("w", to: "inner.xml?c=%%CACHEBUSTER%%"), "inner.xml": inner,
        ])
        #expect(asked.last == AdServer.base + "inner.xml?c=%25%25CACHEBUSTER%25%25")
        #expect(pod.ads.map(\.location) == [AdServer.base + "ad1.mp4?c=%25%25CACHEBUSTER%25%25"])
        #expect(pod.failures.isEmpty && pod.unusable.isEmpty)
    }

    @Test("What a user names is an address in the same way, and a path stays one")
    func named() {
        #expect(AdLocation.address("http://a.example/?c=%%X%% y") == "http://a.example/?c=%25%25X%25%25%20y")
        #expect(AdLocation.address("http://") == nil)
        #expect(AdLocation.address("/srv/ads 100%.xml") == "/srv/ads 100%.xml")
    }

    @Test("A document in a file means the web by an address without a scheme, and names files beside it")
    func fromFiles() {
        #expect(AdLocation.resolve("//cdn.example/c.mp4", from: "/srv/b.xml") == "https://cdn.example/c.mp4")
        #expect(AdLocation.resolve("c.mp4?a=b://c", from: "/srv/b.xml") == "/srv/c.mp4?a=b://c")
        #expect(AdLocation.resolve("data:video/mp4;base64,AAAA", from: "/srv/b.xml") == nil)
    }

    @Test(
        "What stands before a document does not matter",
        arguments: ["\u{FEFF}", " \n\t", "\u{FEFF}\r\n  ", "<!-- served by nobody -->\n"]
    )
    func beforeTheDocument(text: String) {
        let document = text.hasPrefix("<") ? "<VAST version=\"3.0\">\(AdDocuments.inline("one"))</VAST>" : nil
        let pod = AdServer.resolve(["main.xml": text + (document ?? AdDocuments.vast(AdDocuments.inline("one")))]).pod
        #expect(pod.ads.map(\.id) == ["one"])
        #expect(pod.failures.isEmpty)
    }
}
