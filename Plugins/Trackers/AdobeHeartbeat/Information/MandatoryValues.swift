internal import AdobeShared
internal import PluginKit

/// Reads mandatory values in turn; the first one that cannot be used is what is wrong.
struct MandatoryValues {
    let object: String
    let attributes: AttributeList

    /// A text that is not empty.
    func text(_ key: AttributeKey, _ property: String) throws(InvalidInformation) -> String {
        guard let text = attributes[key]?.string, text.count > 0 else { throw .text(object, property) }
        return text.string
    }

    /// A number, rounded down; a text of digits is none.
    func number(_ key: AttributeKey, _ property: String) throws(InvalidInformation) -> Int64 {
        guard let number = attributes[key]?.wholeNumber else { throw .number(object, property) }
        return number
    }

    /// A time in whole seconds.
    func seconds(_ key: AttributeKey, _ property: String) throws(InvalidInformation) -> Int64 {
        WholeSeconds.of(milliseconds: try number(key, property))
    }

    /// A text that may be missing.
    func optionalText(_ key: AttributeKey) -> String {
        attributes[key]?.string?.string ?? ""
    }
}
