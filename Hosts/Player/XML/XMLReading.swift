import CLibXML2

/// Reads documents of ad servers and DASH manifests; nothing outside of them is ever opened.
package enum XMLReading {
    /// Why a document cannot be used.
    package enum Failure: Error, Sendable, Equatable {
        /// It is larger than the limit, in bytes.
        case tooLarge(limit: Int)
        /// It is not well formed; the line is from 1.
        case malformed(line: Int, reason: String)
        /// It declares a document type, and with it entities of its own.
        case documentType

        /// The reason in words.
        package var reason: String {
            switch self {
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            case .malformed(let line, let reason): "it is not well formed in line \(line): \(reason)"
            case .documentType: "it declares a document type"
            }
        }
    }

    /// The largest document that is read, in bytes.
    package static let limit = 4_194_304

    /// The deepest element that is read; libxml2 itself gives up a little below.
    private static let depthLimit = 200

    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// The root of a document; blanks before it, which XML does not allow before its declaration, do not matter.
    package static func root(of document: [UInt8]) throws(Failure) -> XMLElement {
        guard document.count <= limit else { throw .tooLarge(limit: limit) }
        let bytes = withoutBlanksBefore(document)
        _ = isReady
        guard let context = unsafe xmlNewParserCtxt() else { throw .malformed(line: 0, reason: "out of memory") }
        defer { unsafe xmlFreeParserCtxt(context) }
        let options = Int32(
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
                | XML_PARSE_NOCDATA.rawValue
        )
        let parsed = unsafe bytes.withUnsafeBytes { buffer in
            let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe xmlCtxtReadMemory(context, text, Int32(buffer.count), nil, nil, options)
        }
        guard let document = unsafe parsed else { throw unsafe failure(context) }
        defer { unsafe xmlFreeDoc(document) }
        guard unsafe document.pointee.intSubset == nil else { throw .documentType }
        guard let root = unsafe xmlDocGetRootElement(document) else { throw .malformed(line: 1, reason: "no element") }
        return unsafe element(root, depth: 0)
    }

    private static func withoutBlanksBefore(_ document: [UInt8]) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = document.starts(with: mark) ? document.dropFirst(mark.count) : document[...]
        return bytes.drop(while: isBlank)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func failure(_ context: xmlParserCtxtPtr) -> Failure {
        guard let error = unsafe xmlCtxtGetLastError(context) else {
            return .malformed(line: 1, reason: "the document is empty")
        }
        let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "unknown"
        return unsafe .malformed(line: Int(error.pointee.line), reason: trimmed(message))
    }

    private static func element(_ node: xmlNodePtr, depth: Int) -> XMLElement {
        var element = unsafe XMLElement(name: text(node.pointee.name))
        var attribute = unsafe node.pointee.properties
        while let current = unsafe attribute {
            let name = unsafe text(current.pointee.name)
            if element.attributes[name] == nil {
                element.attributes[name] = unsafe content(of: current.pointee.children)
            }
            unsafe attribute = current.pointee.next
        }
        var child = unsafe node.pointee.children
        while let current = unsafe child {
            if unsafe current.pointee.type == XML_ELEMENT_NODE, depth < depthLimit {
                element.children.append(unsafe self.element(current, depth: depth + 1))
            }
            unsafe child = current.pointee.next
        }
        element.text = unsafe trimmed(content(of: node.pointee.children))
        return element
    }

    /// The text of nodes beside each other; entities of the document's own are left out.
    private static func content(of first: xmlNodePtr?) -> String {
        var content = ""
        var node = unsafe first
        while let current = unsafe node {
            let type = unsafe current.pointee.type
            if type == XML_TEXT_NODE || type == XML_CDATA_SECTION_NODE {
                content += unsafe text(current.pointee.content)
            }
            unsafe node = current.pointee.next
        }
        return content
    }

    private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String {
        guard let bytes = unsafe bytes else { return "" }
        return unsafe String(cString: bytes)
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}

/// Why a document could not be had.
package struct FetchFailure: Error, Sendable, Equatable {
    /// The HTTP status, when a server answered.
    package let status: Int?
    /// The reason in words.
    package let reason: String
    /// Whether no secure connection could be made.
    package let isOfTLS: Bool

    /// Makes a failure.
    package init(status: Int? = nil, reason: String, isOfTLS: Bool = false) {
        self.status = status
        self.reason = reason
        self.isOfTLS = isOfTLS
    }
}

/// An element of a document; names have no prefix, as ad servers are not of one mind about namespaces.
package struct XMLElement: Sendable, Equatable {
    /// The name without its prefix.
    package var name: String
    /// The attributes by their names without prefix; of two of the same name the first.
    package var attributes: [String: String] = [:]
    /// The elements directly below, in their order.
    package var children: [XMLElement] = []
    /// The text directly below, without the space around it.
    package var text = ""

    /// Makes an element with nothing in it.
    package init(name: String) {
        self.name = name
    }

    /// The first child of a name.
    package func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// All children of a name, in their order.
    package func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The children of a name within the first child of another.
    package func children(_ outer: String, _ name: String) -> [XMLElement] { child(outer)?.children(name) ?? [] }

    /// The text of the first child of a name; nil when there is none in it.
    package func text(of name: String) -> String? {
        guard let text = child(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    /// An attribute's truth value in any case (XML Schema, `boolean`); nil when it has none.
    package func flag(_ name: String) -> Bool? {
        switch attributes[name]?.lowercased().filter({ !$0.isWhitespace }) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// The texts of all children of a name that have one.
    package func texts(of name: String) -> [String] { children(name).map(\.text).filter { !$0.isEmpty } }
}
