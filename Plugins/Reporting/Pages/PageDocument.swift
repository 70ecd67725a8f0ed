package import TextEncoding

/// One HTML file that has all pages and their data, and asks for nothing else.
///
/// Its policy lets the browser run the scripts that are in it, by their digests, and nothing else; it may load nothing.
package struct PageDocument {
    private let buffer: ByteBuffer

    /// Begins a document; `title` is plain text.
    package init(_ buffer: ByteBuffer, title: String) {
        self.buffer = buffer
        let library = PageFile.named(PageFile.library).text
        let style = PageFile.named("style.css").text
        let policy =
            "default-src 'none'; script-src \(Self.digest(library)) \(Self.digest(PageFile.joined)); "
            + "style-src \(Self.digest(style)); img-src data:; base-uri 'none'; form-action 'none'"
        buffer.append(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="data:,">
            <title>\(Self.escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <noscript><p class="notice">This report needs JavaScript, which is switched off.</p></noscript>
            <div id="pages"><p class="notice" role="status">Loading the report …</p></div>
            <script>\(library)</script>
            <script type="module">\(PageFile.joined)</script>

            """
        )
    }

    /// Adds data that scripts find under the name: JSON, compressed by gzip.
    package func add(part name: String, gzip: [UInt8]) {
        buffer.append("<script type=\"text/plain\" data-part=\"\(Self.escaped(name))\">")
        unsafe gzip.withUnsafeBytes { unsafe Base64.append($0, to: buffer) }
        buffer.append("</script>\n")
    }

    /// Ends the document.
    package func end() { buffer.append("</body>\n</html>\n" as StaticString) }

    /// What a policy calls a text that stands between two tags.
    private static func digest(_ text: String) -> String {
        var digest = SHA256()
        var text = text
        text.withUTF8 { unsafe digest.update(UnsafeRawBufferPointer($0)) }
        return "'sha256-\(Base64.encode(digest.finalize()))'"
    }

    /// Plain text as it stands in HTML.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
