extension TrackerConfiguration {
    /// JSON Schema of the configuration.
    package static let schema = """
        {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "generation": {
              "enum": ["A", "B"], "default": "A",
              "description": "Generation of the vendor's data model."
            },
            "platform": {
              "enum": ["ios", "android"], "default": "ios",
              "description": "Generation B: which of the vendor's agents src and instrumentation.name tell."
            },
            "trackers": {
              "enum": ["auto", "pair", "content", "ad"], "default": "auto",
              "description": "Which trackers there are; auto starts that of the ads with the first one."
            },
            "heartbeatSeconds": {
              "type": "integer", "maximum": 86400, "default": 30,
              "description": "Time between two heartbeats; below 1 there are none."
            },
            "trackerName": {
              "type": "string", "minLength": 1, "default": "tally",
              "description": "The value of trackerName."
            },
            "userId": {
              "type": "string", "minLength": 1,
              "description": "The value of enduser.id on all events."
            },
            "attributes": {
              "type": "object", "maxProperties": 64,
              "additionalProperties": { "type": ["string", "number", "boolean"] },
              "description": "Attributes for all events; they win over those of the tracker."
            },
            "attributesForActions": {
              "type": "array", "maxItems": 64,
              "items": {
                "type": "object", "additionalProperties": false, "required": ["name", "value"],
                "properties": {
                  "name": { "type": "string" },
                  "value": { "type": ["string", "number", "boolean"] },
                  "actions": { "type": "string" }
                }
              },
              "description": "Attributes for the events whose whole action the regular expression matches."
            },
            "timeSince": {
              "type": "array", "maxItems": 64,
              "items": {
                "type": "object", "additionalProperties": false, "required": ["action", "attribute"],
                "properties": {
                  "action": { "type": "string" },
                  "attribute": { "type": "string" },
                  "actions": { "type": "string" }
                }
              },
              "description": "Further attributes that tell the time since an action."
            },
            "rules": {
              "type": "array", "maxItems": 64,
              "items": {
                "type": "object", "additionalProperties": false,
                "properties": {
                  "actions": { "type": "string" },
                  "where": { "type": "object" },
                  "drop": { "type": "boolean", "default": false },
                  "deliver": { "type": "boolean", "default": true },
                  "eventType": { "type": "string", "minLength": 1, "maxLength": 255 },
                  "set": { "type": "object" },
                  "remove": { "type": "array", "items": { "type": "string" } },
                  "rename": { "type": "object", "additionalProperties": { "type": "string" } }
                }
              },
              "description": "What is done with events before they are sent."
            },
            "obfuscation": {
              "type": "array", "maxItems": 64,
              "items": {
                "type": "object", "additionalProperties": false, "required": ["pattern"],
                "properties": {
                  "pattern": { "type": "string" },
                  "replacement": { "type": "string", "default": "***" }
                }
              },
              "description": "Regular expressions whose matches are replaced in all texts."
            },
            "delivery": {
              "type": "object", "additionalProperties": false, "required": ["accountId"],
              "properties": {
                "accountId": { "type": "integer", "minimum": 1 },
                "credential": { "type": "string", "minLength": 1, "default": "new-relic" },
                "region": { "enum": ["US", "EU"], "default": "US" },
                "endpoint": { "type": "string", "minLength": 1 },
                "gzip": { "type": "boolean", "default": true },
                "harvestSeconds": { "type": "integer", "minimum": 5, "maximum": 300, "default": 300 },
                "liveHarvestSeconds": { "type": "integer", "minimum": 1, "maximum": 60, "default": 30 },
                "harvestBytes": { "type": "integer", "minimum": 1024, "maximum": 1000000, "default": 65536 },
                "liveHarvestBytes": { "type": "integer", "minimum": 1024, "maximum": 1000000, "default": 32768 },
                "maximumEvents": { "type": "integer", "minimum": 1, "maximum": 2000, "default": 1000 }
              },
              "description": "Delivery to the Event API; without it events are records alone."
            },
            "qoeAggregateHarvests": {
              "type": "integer", "minimum": 0, "maximum": 1000, "default": 2,
              "description": "Generation B: QOE_AGGREGATE comes every so many harvests; 0 for the end alone."
            }
          }
        }
        """
}
