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

        init(usage: String, summary: String, hosts: [HostSection] = HostSection.allCases) {
            self.usage = usage
            self.summary = summary
            self.hosts = hosts
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
        Entry(usage: "play", summary: "Goes on."),
        Entry(usage: "resume", summary: "The same as play."),
        Entry(usage: "pause [SECONDS]", summary: "Halts playback or the replay; with a time, for so long."),
        Entry(usage: "step [N]", summary: "Replays one event or N at once, then halts.", hosts: [.replay]),
        Entry(usage: "stop", summary: "Ends the run or the replay gracefully."),
        Entry(usage: "quit", summary: "The same as stop."),
    ]

    private static let playback = [
        Entry(usage: "seek SECONDS", summary: "Moves the playhead there."),
        Entry(usage: "rate X", summary: "Plays at another speed, from 0.01 to 16."),
        Entry(usage: "mute on|off", summary: "Switches the sound off or on."),
        Entry(usage: "volume X", summary: "Sets the volume, from 0 to 1."),
        Entry(usage: "pin BITRATE|auto", summary: "Allows only renditions up to this many bit/s, or all again."),
        Entry(usage: "fullscreen on|off", summary: "Reports that the player covers the screen, or no longer."),
        Entry(usage: "size WIDTHxHEIGHT", summary: "Reports this size of the player, in logical pixels."),
        Entry(usage: "connection TYPE", summary: "Reports how the viewer is connected, such as wifi or cellular."),
        Entry(
            usage: "audio-only on|off|auto",
            summary: "Reports a session without pictures, or with them, or as the media is."
        ),
        Entry(usage: "load SOURCE", summary: "Plays this source instead; those that wait follow behind it."),
        Entry(usage: "next", summary: "Goes on with the next source."),
        Entry(usage: "skip-ad", summary: "Skips the ad that is shown, once its skip offset has passed."),
        Entry(usage: "click-ad", summary: "Clicks on the ad that is shown."),
        Entry(
            usage: "interrupt REASON|end",
            summary: "Reports that something interrupts the viewer, or no longer does."
        ),
        Entry(usage: "custom NAME [KEY=VALUE ...]", summary: "Reports an event of the application's own."),
        Entry(
            usage: "consent in|out|pending [TRACKER]",
            summary: "Reports the viewer's consent, for all or one tracker."
        ),
    ].map { Entry(usage: $0.usage, summary: $0.summary, hosts: [.player]) }

    private static let plugins = [
        Entry(usage: "enable NAME", summary: "The same as plugin enable."),
        Entry(usage: "disable NAME", summary: "The same as plugin disable."),
        Entry(usage: "configure NAME JSON", summary: "Gives a plugin a new configuration, whole."),
        Entry(usage: "plugin list", summary: "Lists all plugins with their states and reasons."),
        Entry(usage: "plugin show NAME", summary: "Shows all that is known of one, with its commands."),
        Entry(usage: "plugin stats [NAME]", summary: "Shows what plugins did so far."),
        Entry(usage: "plugin enable NAME", summary: "Enables an instance; a loaded plugin without one gets one."),
        Entry(usage: "plugin disable NAME", summary: "Disables an instance."),
        Entry(usage: "plugin load FILE", summary: "Loads a plugin file, whose path has a slash."),
        Entry(
            usage: "plugin load PLUGIN [NAME] [JSON]",
            summary: "Configures an instance of a loaded plugin and enables it."
        ),
        Entry(usage: "plugin replace FILE", summary: "Puts a newer file into the place of the loaded one."),
        Entry(usage: "plugin release HASH", summary: "Releases a file from the quarantine."),
        Entry(usage: "plugin command NAME COMMAND [JSON]", summary: "Gives a plugin one of its own commands."),
    ]

    private static let program = [
        Entry(usage: "reload", summary: "Reads the configuration file again and applies the difference."),
        Entry(
            usage: "tap [KINDS] [plugin=GLOB] [name=GLOB] [session=GLOB] [limit=N]",
            summary: "Shows events, records and beacons while they pass."
        ),
        Entry(usage: "untap", summary: "Shows them no more."),
        Entry(usage: "stats", summary: "Shows what the run and its plugins did so far."),
        Entry(usage: "drain [SECONDS]", summary: "Lets the reporters deliver what they have, and waits for it."),
        Entry(
            usage: "erase",
            summary: "Deletes what was recorded of the run, and what reporters still keep of it.",
            hosts: [.player]
        ),
        Entry(usage: "help", summary: "Lists the commands."),
    ]

    /// The first words of all commands.
    package static var names: [String] {
        var names: [String] = []
        for entry in entries where !names.contains(entry.words[0]) {
            names.append(entry.words[0])
        }
        return names
    }

    /// The words that may stand behind `plugin`.
    package static var pluginNames: [String] {
        var names: [String] = []
        for words in plugins.map(\.words) where words.first == "plugin" && !names.contains(words[1]) {
            names.append(words[1])
        }
        return names
    }
}
