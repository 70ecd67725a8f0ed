internal import XML

/// Reads the addresses of one document, and keeps those that cannot be used.
struct AdReferences {
    /// Where the document lies.
    let base: String
    /// What cannot be used, in words: which element, what it says, and in which document.
    private(set) var unusable: [String] = []

    init(base: String) {
        self.base = base
    }

    /// What an element or a text of it means; nil when it means nothing, or nothing that can be used.
    ///
    /// `about:blank` stands for no address (VAST 4.2, 3.4.4).
    mutating func address(_ text: String, of element: String) -> String? {
        guard !text.isEmpty, text.lowercased() != "about:blank" else { return nil }
        if let address = AdLocation.resolve(text, from: base).flatMap(AdLocation.address) { return address }
        unusable.append("\(element) '\(text)' in '\(base)'")
        return nil
    }

    /// The addresses of all children of a name.
    mutating func addresses(of name: String, in parent: XMLElement?) -> [String] {
        var found: [String] = []
        for text in parent?.texts(of: name) ?? [] {
            if let address = address(text, of: name) { found.append(address) }
        }
        return found
    }

    /// The addresses of `Tracking` elements by the names of their events, each with its element.
    mutating func tracking(in parent: XMLElement?) -> [(event: String, element: XMLElement, address: String)] {
        var found: [(event: String, element: XMLElement, address: String)] = []
        for element in parent?.children("TrackingEvents", "Tracking") ?? [] {
            guard let event = element.attributes["event"],
                let address = address(element.text, of: "Tracking \(event)")
            else { continue }
            found.append((event, element, address))
        }
        return found
    }
}
