package import PluginKit

/// What an event says: one of the standard actions, or one that the application names.
package struct Action {
    /// The name, lent as long as the event that it comes from.
    package let name: UTF8Text
    /// Which standard action it is, nil when it is none.
    package let standard: StandardAction?

    /// A standard action.
    package init(_ standard: StandardAction) {
        name = UTF8Text(standard.name)
        self.standard = standard
    }

    /// The action with a name, which may be that of a standard action.
    package init(named name: UTF8Text) {
        self.name = name
        standard = StandardAction(named: name)
    }
}
