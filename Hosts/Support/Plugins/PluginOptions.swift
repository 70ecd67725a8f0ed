/// The options that all hosts have, because all of them load plugins.
package enum PluginOptions {
    /// The options; their values are read by ``HostSetup`` and ``LogPrinter``.
    package static let all = [
        CommandLineOption(
            "plugins",
            value: "NAME,...",
            section: "Plugins",
            help: "Run these plugins, in this order: instances of the configuration, or plugins by name or id."
        ),
        CommandLineOption(
            "plugin-dir",
            value: "DIR",
            isRepeatable: true,
            section: "Plugins",
            help: "Look for plugins here first."
        ),
        CommandLineOption(
            "config",
            short: "c",
            value: "FILE",
            section: "Plugins",
            help: "Read the configuration, a JSON5 file."
        ),
        CommandLineOption(
            "set",
            value: "KEY=VALUE",
            isRepeatable: true,
            section: "Plugins",
            help: "Set one key of the configuration, such as plugins.NAME.config.KEY."
        ),
        CommandLineOption(
            "list-plugins",
            section: "Plugins",
            help: "List the plugins that were found and the files that cannot be used, and exit."
        ),
        CommandLineOption(
            "explain",
            section: "Plugins",
            help: "Show the effective configuration, where each value comes from, and set-ups that cannot work; exit."
        ),
        CommandLineOption("quiet", short: "q", help: "Say nothing on standard error but warnings and errors."),
        CommandLineOption("verbose", short: "v", help: "Show the plugins' debug messages too."),
        CommandLineOption("json", help: "Write listings and the summary as JSON."),
    ]
}
