extension HeartbeatConfiguration {
    /// JSON Schema of the configuration.
    ///
    /// Mandatory parameters are not required here: without them the tracker starts and is in the error state. What it
    /// wants beside it is checked where all plugins are known: set-up begins with the Analytics settings, then comes
    /// the Analytics tracker (Adobe VHL 1.4, "Video Heartbeat Plug-ins"), which 1.3.1 cannot do without, as it opens
    /// the Analytics session.
    package static let schema = """
        {
          "type": "object",
          "additionalProperties": false,
          "x-needs": [
            { "key": "ADBMobileConfig", "when": { "compatibility": "1.3.1" } },
            { "plugin": "com.adobe.analytics", "when": { "compatibility": "1.3.1" } }
          ],
          "x-after": ["com.adobe.analytics"],
          "properties": {
            "compatibility": {
              "type": "string",
              "enum": ["1.4", "1.3.1"],
              "default": "1.4",
              "description": "Which version of the library the tracker behaves as."
            },
            "trackingServer": {
              "type": "string",
              "description": "Mandatory. Host that heartbeat calls are sent to."
            },
            "jobId": {
              "type": "string",
              "description": "Mandatory. Processing job identifier."
            },
            "publisher": {
              "type": "string",
              "description": "Mandatory. Name of the content publisher."
            },
            "channel": {
              "type": "string",
              "default": "",
              "description": "Name of the distribution channel."
            },
            "ovp": {
              "type": "string",
              "default": "unknown",
              "description": "Name of the online video platform."
            },
            "sdk": {
              "type": "string",
              "default": "unknown",
              "description": "Version of the player application."
            },
            "debugLogging": {
              "type": "boolean",
              "default": false,
              "description": "Writes trace lines into the host's log."
            },
            "quietMode": {
              "type": "boolean",
              "default": false,
              "description": "Nothing is sent."
            },
            "trackingInterval": {
              "type": "integer",
              "minimum": 1,
              "maximum": 600,
              "default": 10,
              "description": "Seconds of a quantum."
            },
            "trackExternalErrors": {
              "type": "boolean",
              "default": true,
              "description": "Sends application errors."
            },
            "aid": {
              "type": "string",
              "default": "",
              "description": "Analytics visitor id."
            },
            "mid": {
              "type": "string",
              "default": "",
              "description": "Marketing cloud visitor id."
            },
            "ADBMobileConfig": {
              "type": "object",
              "description": "The content of ADBMobileConfig.json, as the host hands it over."
            }
          }
        }
        """
}
