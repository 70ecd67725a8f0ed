/// The commands, for help, for documents and for finding slips.
package enum ControlVocabulary {
    /// One command.
    package struct Entry: Sendable {
        /// Its words and arguments: `plugin show NAME`.
        package let usage: String
        /// What it does, one sentence.
        package let summary: String
        /// The hosts that have it.
        package let hosts: [HostSection]

        fileprivate init(_ usage: String, _ summary: String, hosts: [HostSection] = HostSection.allCases) {
            (self.usage, self.summary, self.hosts) = (usage, summary, hosts)
        }

        /// The words that name it.
        package var words: [String] {
            usage.split(separator: " ").prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }.map(String.init)
        }
    }

    /// All commands in the order in which help lists them.
    package static let entries = transport + playback + plugins + program

    /// The commands that a host has, in the same order.
    package static func entries(for host: HostSection) -> [Entry] {
        entries.filter { $0.hosts.contains(host) }
    }

    private static let transport = [
        Entry("play", "Goes on.", hosts: [.player, .replay]),
        Entry("resume", "The same as play.", hosts: [.player, .replay]),
        Entry(
            "pause [SECONDS]",
            "Halts playback or the replay; with a time, for so long.",
            hosts: [.player, .replay]
        ),
        Entry("step [N]", "Replays one event or N at once, then halts.", hosts: [.replay]),
        Entry("stop", "Ends the run, the replay or the collector gracefully.", hosts: [.player, .replay, .collector]),
        Entry("quit", "The same as stop.", hosts: [.player, .replay, .collector]),
    ]

    private static let playback = [
        Entry("seek SECONDS", "Moves the playhead there."),
        Entry("rate X", "Plays at another speed, from 0.01 to 16."),
        Entry("mute on|off", "Switches the sound off or on."),
        Entry("volume X", "Sets the volume, from 0 to 1."),
        Entry("pin BITRATE|auto", "Allows only renditions up to this many bit/s, or all again."),
        Entry("audio LANG|N", "Plays the sound of this language, or of this number."),
        Entry("subtitles LANG|N|off", "Chooses the subtitles of this language, or of this number, or none."),
        Entry("fullscreen on|off", "Reports that the player covers the screen, or no longer."),
        Entry("size WIDTHxHEIGHT", "Reports this size of the player, in logical pixels."),
        Entry("connection TYPE", "Reports how the viewer is connected, such as wifi or cellular."),
        Entry("audio-only on|off|auto", "Reports a session without pictures, or with them, or as the media is."),
        Entry("load SOURCE", "Plays this source instead; those that wait follow behind it."),
        Entry("next", "Goes on with the next source."),
        Entry("skip-ad", "Skips the ad that is shown, once its skip offset has passed."),
        Entry("click-ad", "Clicks on the ad that is shown."),
        Entry("interrupt REASON|end", "Reports that something interrupts the viewer, or no longer does."),
        Entry("custom NAME [KEY=VALUE ...]", "Reports an event of the application's own."),
        Entry("consent in|out|pending [TRACKER]", "Reports the viewer's consent, for all or one tracker."),
    ].map { Entry($0.usage, $0.summary, hosts: [.player]) }

    private static let plugins = [
        Entry("enable NAME", "The same as plugin enable."),
        Entry("disable NAME", "The same as plugin disable."),
        Entry("configure NAME JSON", "Gives a plugin a new configuration, whole."),
        Entry("plugin list", "Lists all plugins with their states and reasons."),
        Entry("plugin show NAME", "Shows all that is known of one, with its commands."),
        Entry("plugin stats [NAME]", "Shows what plugins did so far."),
        Entry("plugin enable NAME", "Enables an instance; a loaded plugin without one gets one."),
        Entry("plugin disable NAME", "Disables an instance."),
        Entry("plugin load FILE", "Loads a plugin file, whose path has a slash."),
        Entry("plugin load PLUGIN [NAME] [JSON]", "Configures an instance of a loaded plugin and enables it."),
        Entry("plugin replace FILE", "Puts a newer file into the place of the loaded one."),
        Entry("plugin release HASH", "Releases a file from the quarantine."),
        Entry("plugin command NAME COMMAND [JSON]", "Gives a plugin one of its own commands."),
    ]

    private static let program = [
        Entry("reload", "Reads the configuration file again and applies the difference."),
        Entry(
            "tap [KINDS] [plugin=GLOB] [name=GLOB] [session=GLOB] [limit=N]",
            "Shows events, records and beacons while they pass."
        ),
        Entry("untap", "Shows them no more."),
        Entry("stats", "Shows what the run and its plugins did so far."),
        Entry("drain [SECONDS]", "Lets the reporters deliver what they have, and waits for it."),
        Entry(
            "erase",
            "Deletes what was recorded of the run, and what reporters still keep of it.",
            hosts: [.player, .library]
        ),
        Entry("runs", "Shows the runs of players elsewhere that are open, at most 1,000.", hosts: [.collector]),
        Entry("show RUN", "Shows one of them, by the name that its player gave it.", hosts: [.collector]),
        Entry("help", "Lists the commands."),
    ]

    /// The first words of all commands.
    package static var names: [String] { entries.map { $0.words[0] }.withoutRepeats }

    /// The words that may stand behind `plugin`.
    package static var pluginNames: [String] {
        plugins.map(\.words).filter { $0.first == "plugin" }.map { $0[1] }.withoutRepeats
    }
}
