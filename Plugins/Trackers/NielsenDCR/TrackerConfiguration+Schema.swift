extension TrackerConfiguration {
    /// JSON Schema of the configuration.
    ///
    /// `x-instances` is checked where all instances are known: an instance cannot see the others.
    package static let schema = """
        {
          "type": "object",
          "additionalProperties": false,
          "x-instances": { "maximum": 4, "sharing": "appid" },
          "properties": {
            "appid": {
              "type": "string",
              "description": "The id that Nielsen assigned to the application; without it nothing is measured."
            },
            "appname": { "type": "string", "description": "Name of the application." },
            "appversion": { "type": "string", "description": "Version of the application." },
            "nol_devDebug": {
              "type": "string",
              "description": "DEBUG logs ignored calls; for tests only, to be removed before going live."
            },
            "channelName": {
              "type": "string",
              "description": "The channel; the name of the video without it."
            },
            "content": {
              "type": "object",
              "additionalProperties": { "type": "string" },
              "description": "Keys of the content's metadata, which win over what the player tells."
            },
            "ad": {
              "type": "object",
              "additionalProperties": { "type": "string" },
              "description": "Keys of each ad's metadata, which win over what the player tells."
            },
            "clientId": {
              "type": "string",
              "default": "",
              "description": "The client id that Nielsen configured for the App ID: ci of the pings."
            },
            "vcid": {
              "type": "string",
              "default": "",
              "description": "The sub-brand that Nielsen configured for the App ID; subbrand of the metadata wins."
            },
            "nuid": {
              "type": "string",
              "default": "999",
              "description": "Hash that identifies the device; left out when the user is opted out."
            },
            "collectionHost": {
              "type": "string",
              "default": "secure-dmk.nmrodam.com",
              "description": "Where pings go."
            },
            "allowInsecure": {
              "type": "boolean",
              "default": false,
              "description": "Whether http is allowed for an address on this machine: for tests."
            },
            "segmentSeconds": {
              "type": "integer",
              "minimum": 1,
              "maximum": 3600,
              "default": 60,
              "description": "Length of a segment."
            },
            "segmentsPerPing": {
              "type": "integer",
              "minimum": 1,
              "maximum": 60,
              "default": 5,
              "description": "Segments in a duration ping."
            },
            "creditSeconds": {
              "type": "integer",
              "minimum": 1,
              "maximum": 3600,
              "default": 30,
              "description": "Viewed seconds that make a segment count as viewed."
            },
            "pauseTimeoutSeconds": {
              "type": "integer",
              "minimum": 1,
              "maximum": 86400,
              "default": 1800,
              "description": "A suspension that is longer makes a new stream."
            },
            "optOutURL": {
              "type": "string",
              "default": "https://priv-policy.imrworldwide.com/priv/mobile/us/en/optout_legacy.html",
              "description": "The page on which the user chooses."
            },
            "systemOptOut": {
              "type": "boolean",
              "default": false,
              "description": "Whether the system's setting opts the user out."
            },
            "kids": {
              "type": "boolean",
              "default": false,
              "description": "Whether the application is for children: opted out from the start, no device id."
            }
          }
        }
        """
}
