internal import AdobeShared
internal import PluginKit

/// What the player's delegate said of a thing.
enum Reading<Information> {
    /// Nothing is known: the guides' nil.
    case nothing
    /// All that is mandatory is there.
    case known(Information)
    /// Something mandatory is missing or cannot be used.
    case invalid(InvalidInformation)

    /// Reads an object of which the delegate has said anything when one of the keys is there.
    init(
        _ object: String,
        _ attributes: AttributeList,
        _ keys: [AttributeKey],
        _ make: (MandatoryValues) throws(InvalidInformation) -> Information
    ) {
        guard keys.contains(where: { attributes[$0] != nil }) else {
            self = .nothing
            return
        }
        do throws(InvalidInformation) {
            self = .known(try make(MandatoryValues(object: object, attributes: attributes)))
        } catch {
            self = .invalid(error)
        }
    }
}

/// A mandatory value of the delegate's that is missing or cannot be used.
package struct InvalidInformation: Error, Equatable, Sendable {
    /// The guides' name of the object: `VideoInfo`.
    package let object: String
    /// The guides' name of the property: `id`.
    package let property: String
    /// What is wrong with it.
    package let reason: String

    /// The error call-back's message (Adobe VHL 1.4, "Monitor the Error State").
    package static let message = "the player delegate's information cannot be used"

    /// The error call-back's details.
    package var details: String { property.isEmpty ? "\(object) \(reason)" : "\(object).\(property) \(reason)" }

    static func text(_ object: String, _ property: String) -> InvalidInformation {
        InvalidInformation(object: object, property: property, reason: "is missing or empty")
    }

    static func number(_ object: String, _ property: String) -> InvalidInformation {
        InvalidInformation(object: object, property: property, reason: "is missing or no number")
    }
}

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
    func optionalText(_ key: AttributeKey) -> String { attributes[key]?.string?.string ?? "" }
}
