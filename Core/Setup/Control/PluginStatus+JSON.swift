internal import Coordinator
internal import PluginLoading
internal import Reporting
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
        if let process { members["process"] = .int(Int64(process)) }
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
            var members: JSONObject = [
                "events": .int(Int64(clamping: tracker.events)), "timers": .int(Int64(clamping: tracker.timers)),
                "records": .int(Int64(clamping: tracker.records)), "beacons": .int(Int64(clamping: tracker.beacons)),
                "withheld": .int(Int64(clamping: tracker.withheld)), "errors": .int(Int64(clamping: tracker.errors)),
                "refused": .int(Int64(clamping: tracker.refused)), "lost": .int(Int64(clamping: tracker.lost)),
                "repaired_texts": .int(Int64(clamping: tracker.repairedTexts)),
            ]
            if let times { members["calls"] = times.json }
            return members
        }
        if let reporter {
            let lostOf = reporter.lostOf.sorted { $0.key < $1.key }.map { instance, lost -> JSONValue in
                ["name": .string(instance), "lost": .int(Int64(clamping: lost))]
            }
            return [
                "taken": .int(Int64(clamping: reporter.taken)), "lost": .int(Int64(clamping: reporter.dropped)),
                "lost_of": .array(lostOf),
                "queued_bytes": .int(Int64(reporter.queuedBytes)),
                "errors": .int(Int64(clamping: reporter.errors)), "last_error": .string(reporter.lastError),
            ]
        }
        return JSONObject()
    }
}

extension CallTimes {
    /// How long calls took, in microseconds.
    fileprivate var json: JSONValue {
        [
            "count": .int(Int64(clamping: count)), "mean_us": .double(Double(mean) / 1000),
            "p999_us": .double(Double(quantile(permille: 999)) / 1000), "longest_us": .double(Double(longest) / 1000),
            "budget_us": .double(Double(budget) / 1000), "over_budget": .int(Int64(clamping: overBudget)),
        ]
    }
}
