/// Takes the events that a tracker has made.
package protocol EventRecorder: AnyObject {
    /// Takes an event; its attributes are lent for the call.
    func record(_ action: Action, _ attributes: EventAttributes)
}
