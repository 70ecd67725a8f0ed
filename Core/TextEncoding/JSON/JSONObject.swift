/// The members of a JSON object, in order, each key once.
public struct JSONObject: Sendable, Equatable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// One key with its value.
    public struct Member: Sendable, Equatable {
        /// The key.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// Makes a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    private var members: [Member] = []

    /// Makes an object without members.
    public init() {}

    /// Makes an object of a literal; of members with the same key the last one counts, in the first one's place.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (key, value) in elements {
            self[key] = value
        }
    }

    /// The position of the first member.
    public var startIndex: Int { 0 }

    /// The position behind the last member.
    public var endIndex: Int { members.count }

    /// The member at a position.
    public subscript(position: Int) -> Member { members[position] }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a key; a new key is put at the end, nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get {
            members.first { $0.key == key }?.value
        }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The longest key that the dotted path is, or begins with before a dot.
    public func longestKey(startingPath path: Substring) -> String? {
        let matching = keys.filter { key in
            path.hasPrefix(key) && (path.count == key.count || path.dropFirst(key.count).first == ".")
        }
        return matching.max { $0.count < $1.count }
    }

    /// Puts a member at the end; the caller knows that the key is new.
    internal mutating func appendNew(_ member: Member) {
        members.append(member)
    }
}
