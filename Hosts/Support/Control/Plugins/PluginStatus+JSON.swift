package import Tally
package import TextEncoding

extension PluginStatus {
    /// The status as listings and replies have it.
    package var json: JSONValue {
        var members: JSONObject = [
            "name": .string(name), "state": .string(state.rawValue), "reason": .string(reason),
            "kind": kind.map { .string($0.rawValue) } ?? .null, "plugin": .string(plugin),
            "version": .string(version), "full_version": .string(fullVersion), "file": .string(file),
            "sha256": .string(sha256),
        ]
        for member in statistics { members[member.key] = member.value }
        members["commands"] = .array(
            commands.map { command in
                [
                    "name": .string(command.name), "summary": .string(command.summary),
                    "changes": .bool(command.changesState),
                ]
            }
        )
        return .object(members)
    }

    /// What it did so far, for a reply to `stats`.
    package var counts: JSONValue {
        var members: JSONObject = ["name": .string(name), "state": .string(state.rawValue)]
        for member in statistics { members[member.key] = member.value }
        return .object(members)
    }

    private var statistics: JSONObject {
        if let tracker {
            return [
                "events": .int(Int64(clamping: tracker.events)), "timers": .int(Int64(clamping: tracker.timers)),
                "records": .int(Int64(clamping: tracker.records)), "beacons": .int(Int64(clamping: tracker.beacons)),
                "withheld": .int(Int64(clamping: tracker.withheld)), "errors": .int(Int64(clamping: tracker.errors)),
            ]
        }
        if let reporter {
            return [
                "taken": .int(Int64(clamping: reporter.taken)), "lost": .int(Int64(clamping: reporter.dropped)),
                "errors": .int(Int64(clamping: reporter.errors)), "last_error": .string(reporter.lastError),
            ]
        }
        return JSONObject()
    }
}
