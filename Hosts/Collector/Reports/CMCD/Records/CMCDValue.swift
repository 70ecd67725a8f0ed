/// The value of a key that was found to be right.
package enum CMCDValue: Equatable, Sendable {
    /// A whole number.
    case integer(Int64)
    /// A number, in thousandths.
    case decimal(thousandths: Int64)
    /// True or false.
    case boolean(Bool)
    /// A word without quotes.
    case token(String)
    /// A text.
    case string(String)
    /// Whole numbers, each with the object type that it is of, if that was said.
    case integers([Typed])
    /// Texts, each with a range of bytes, if that was said.
    case strings([Ranged])
    /// Bytes, as the Base64 that they came in: only of keys that are not reserved.
    case bytes(base64: String)
    /// A date, s since 1970: only of keys that are not reserved.
    case date(Int64)

    /// A number of one object type.
    package struct Typed: Equatable, Sendable {
        /// The number.
        package let number: Int64
        /// The object type by its letters; nil when it is of all or not said.
        package let type: String?

        package init(_ number: Int64, _ type: String? = nil) {
            self.number = number
            self.type = type
        }
    }

    /// A text with a range of bytes.
    package struct Ranged: Equatable, Sendable {
        /// The text.
        package let text: String
        /// The range (`0-99`, `5-`, `-9`); nil without one.
        package let range: String?

        package init(_ text: String, _ range: String? = nil) {
            self.text = text
            self.range = range
        }
    }
}

extension CMCDKey.Kind {
    /// The value, when it is one of this kind.
    func value(_ value: StructuredDictionary.Value) -> CMCDValue? {
        switch (self, value) {
        case (.integers, .list(let items)): integers(items)
        case (.strings, .list(let items)): strings(items)
        case (_, .item(let item)): single(item.value)
        default: nil
        }
    }

    private func single(_ value: StructuredDictionary.Bare) -> CMCDValue? {
        switch (self, value) {
        case (.integer(let isSigned), .integer(let number)) where isSigned || number >= 0: .integer(number)
        case (.decimal, .integer(let number)) where abs(number) < 1_000_000_000_000_000:
            .decimal(thousandths: number * 1000)
        case (.decimal, .decimal(let thousandths)): .decimal(thousandths: thousandths)
        case (.boolean, .boolean(let truth)): .boolean(truth)
        case (.token(let words), .token(let word)) where words.contains(word): .token(word)
        case (.string(let longest), .string(let text)) where text.unicodeScalars.count <= longest: .string(text)
        default: nil
        }
    }

    private func integers(_ items: [StructuredDictionary.Item]) -> CMCDValue? {
        var numbers: [CMCDValue.Typed] = []
        for item in items {
            guard case .integer(let number) = item.value, number >= 0 else { return nil }
            numbers.append(CMCDValue.Typed(number, objectType(item.parameters)))
        }
        return .integers(numbers)
    }

    /// The object type by which an item is named: `;v`, or `;ot=v` as the common library writes it.
    private func objectType(_ parameters: [StructuredDictionary.Parameter]) -> String? {
        for parameter in parameters {
            switch parameter.value {
            case .boolean(true) where CMCDKey.objectTypes.contains(parameter.name): return parameter.name
            case .token(let type) where parameter.name == "ot" && CMCDKey.objectTypes.contains(type): return type
            default: continue
            }
        }
        return nil
    }

    private func strings(_ items: [StructuredDictionary.Item]) -> CMCDValue? {
        var texts: [CMCDValue.Ranged] = []
        for item in items {
            guard case .string(let text) = item.value else { return nil }
            var range: String?
            for parameter in item.parameters where parameter.name == "r" {
                if case .string(let said) = parameter.value { range = said }
            }
            texts.append(CMCDValue.Ranged(text, range))
        }
        return .strings(texts)
    }
}
