/// A mandatory value of the delegate's that is missing or cannot be used.
package struct InvalidInformation: Error, Equatable, Sendable {
    /// The guides' name of the object: `VideoInfo`.
    package internal(set) var object: String
    /// The guides' name of the property: `id`.
    package internal(set) var property: String
    /// What is wrong with it.
    package internal(set) var reason: String

    /// The error call-back's message (Adobe VHL 1.4, "Monitor the Error State").
    package static let message = "the player delegate's information cannot be used"

    /// The error call-back's details.
    package var details: String {
        property.isEmpty ? "\(object) \(reason)" : "\(object).\(property) \(reason)"
    }

    static func text(_ object: String, _ property: String) -> InvalidInformation {
        InvalidInformation(object: object, property: property, reason: "is missing or empty")
    }

    static func number(_ object: String, _ property: String) -> InvalidInformation {
        InvalidInformation(object: object, property: property, reason: "is missing or no number")
    }
}
