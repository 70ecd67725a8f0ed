/// An element of a document, with what is in it.
///
/// Names are without their prefix: the documents of ad servers are not of one mind about namespaces.
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
    func child(_ name: String) -> XMLElement? {
        children.first { $0.name == name }
    }

    /// All children of a name, in their order.
    func children(_ name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// The children of a name within the first child of another.
    func children(_ outer: String, _ name: String) -> [XMLElement] {
        child(outer)?.children(name) ?? []
    }

    /// The text of the first child of a name; nil when there is none in it.
    func text(of name: String) -> String? {
        guard let text = child(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    /// The texts of all children of a name that have one.
    func texts(of name: String) -> [String] {
        children(name).map(\.text).filter { !$0.isEmpty }
    }
}
