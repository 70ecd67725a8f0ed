extension AttributeDefinition {
    /// Errors.
    static let errors: [AttributeDefinition] = [
        AttributeDefinition(
            .errorID,
            "error_id",
            .string,
            setBy: "call",
            "Unique identifier of the error."
        ),
        AttributeDefinition(
            .errorMessage,
            "error_message",
            .string,
            setBy: "call",
            "Text for people."
        ),
        AttributeDefinition(
            .errorDomain,
            "error_domain",
            .string,
            setBy: "call",
            "Part of the software that the code belongs to."
        ),
        AttributeDefinition(
            .errorCode,
            "error_code",
            .int,
            setBy: "call",
            "The engine's or server's number."
        ),
        AttributeDefinition(
            .errorFatal,
            "error_fatal",
            .bool,
            setBy: "call",
            "Whether playback ends with it."
        ),
        AttributeDefinition(
            .errorContext,
            "error_context",
            .string,
            setBy: "call",
            "Segment, stack trace or the like."
        ),
    ]

    /// Application, interruption, consent and unload.
    static let surroundings: [AttributeDefinition] = [
        AttributeDefinition(
            .customName,
            "custom_name",
            .string,
            setBy: "call",
            "Name of a custom event."
        ),
        AttributeDefinition(
            .runningTimeMs,
            "running_time_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "How long the application ran: on application_terminated."
        ),
        AttributeDefinition(
            .interruptionReason,
            "interruption_reason",
            .string,
            setBy: "call",
            "`network`, `call`, `alarm`, `lock`, `background`, `channel_change`, `headphones` or another word."
        ),
        AttributeDefinition(
            .consentScope,
            "consent_scope",
            .string,
            setBy: "call",
            "`all`, or the instance name of one tracker."
        ),
        AttributeDefinition(
            .consentState,
            "consent_state",
            .string,
            setBy: "call",
            "`in`, `out` or `pending`."
        ),
        AttributeDefinition(
            .implicit,
            "implicit",
            .bool,
            setBy: "core",
            "True on an unload that the core inserted before a load."
        ),
    ]

    /// Added by the core.
    static let core: [AttributeDefinition] = [
        AttributeDefinition(
            .gapSamples,
            "gap_samples",
            .int,
            setBy: "core",
            "Playhead samples refused before this event."
        ),
        AttributeDefinition(
            .gapQualitySamples,
            "gap_quality_samples",
            .int,
            setBy: "core",
            "Quality samples refused before this event."
        ),
        AttributeDefinition(
            .gapEvents,
            "gap_events",
            .int,
            setBy: "core",
            "Other events refused before this event."
        ),
        AttributeDefinition(
            .joined,
            "joined",
            .bool,
            setBy: "core",
            "On a snapshot: the session was going on already."
        ),
        AttributeDefinition(
            .loadedAtMicroseconds,
            "loaded_at_us",
            .int,
            unit: "us",
            setBy: "core",
            "On a snapshot: run time of the load."
        ),
        AttributeDefinition(
            .firstPlayAtMicroseconds,
            "first_play_at_us",
            .int,
            unit: "us",
            setBy: "core",
            "On a snapshot: run time of the session's first play."
        ),
        AttributeDefinition(
            .plugin,
            "plugin",
            .string,
            setBy: "core",
            "Instance name, on control events."
        ),
        AttributeDefinition(
            .pluginVersion,
            "plugin_version",
            .string,
            setBy: "core",
            "Its version."
        ),
        AttributeDefinition(
            .pluginSha256,
            "plugin_sha256",
            .string,
            setBy: "core",
            "Hash of its file."
        ),
        AttributeDefinition(
            .cause,
            "cause",
            .string,
            setBy: "core",
            "`operator`, `file`, `configuration`, `time_budget` or `crash`."
        ),
        AttributeDefinition(
            .configuration,
            "configuration",
            .string,
            setBy: "core",
            "JSON text of a new configuration."
        ),
        AttributeDefinition(
            .stepMicroseconds,
            "step_us",
            .int,
            unit: "us",
            setBy: "core",
            "By how much the wall clock was set, or how long the machine slept."
        ),
        AttributeDefinition(
            .pluginID,
            "plugin_id",
            .string,
            setBy: "core",
            "Id of a plugin that joined or took another's place."
        ),
        AttributeDefinition(
            .pluginEnabled,
            "plugin_enabled",
            .bool,
            setBy: "core",
            "Whether a plugin that joined is enabled."
        ),
        AttributeDefinition(
            .pluginStored,
            "plugin_stored",
            .string,
            setBy: "core",
            "Persistent values that a plugin began with, JSON text."
        ),
        AttributeDefinition(
            .pluginCommand,
            "plugin_command",
            .string,
            setBy: "core",
            "Name of a command."
        ),
        AttributeDefinition(
            .pluginArguments,
            "plugin_arguments",
            .string,
            setBy: "core",
            "JSON text of a command's arguments."
        ),
    ]
}
