import EventModel
import Tally
import TallyTesting

/// Steps and expectations that many scenarios share.
enum Act {
    /// Something that no action stands for.
    static func call(_ perform: @escaping @Sendable (SyntheticPlayer, PlayerRun) -> Void) -> PlayerAction {
        .call(PlayerCall("call", perform))
    }

    /// The player shows something else, and says nothing of it.
    static func show(_ change: @escaping @Sendable (inout SyntheticPlayer.Model) -> Void) -> PlayerAction {
        call { player, _ in player.change(change) }
    }

    /// A rendition with all that is known of it.
    static func rendition(_ fill: @escaping @Sendable (inout Rendition) -> Void) -> PlayerAction {
        call { _, run in
            var rendition = Rendition()
            fill(&rendition)
            run.trackRenditionChange(rendition)
        }
    }

    /// An event of the application's own.
    static func custom(_ name: String, _ values: [String: PlainValue] = [:]) -> PlayerAction {
        call { _, run in
            run.trackCustomEvent(name) { event in
                for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                    event.set(custom: name, value)
                }
            }
        }
    }
}
