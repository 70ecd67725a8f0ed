internal import PluginKit

/// What a custom tracker changes of the events that its video tracker makes.
package protocol EventCustomization: AnyObject {
    /// The value of an attribute, instead of the one that the tracker itself has.
    func value(of attribute: StandardAttribute, standard: EventValue?, in texts: TextPool) -> EventValue?

    /// Attributes of its own for an event.
    func attributes(of action: Action) -> [AttributeSetting]

    /// Looks at a finished event, may change it, and says whether it is to be sent.
    func preSend(_ action: Action, _ attributes: inout EventAttributes, in texts: TextPool) -> Bool
}
