internal import HostSupport

/// All checks there are, in the order in which they are made.
///
/// The list, the page `docs/plugin-check.md` and the checks themselves come from here. A check stands behind those that
/// it needs.
enum AllChecks {
    /// The groups in order.
    static let groups = [
        FileChecks.group, DescriptorChecks.group, LifeChecks.group, RepeatChecks.group, LifeChecks.behindASession,
        EventChecks.group, HostChecks.group, ReporterChecks.group, MachineChecks.group,
    ]

    /// The check of a name.
    static func named(_ name: String) -> Check? { groups.flatMap { $0.checks }.first { $0.name == name } }

    /// The list as tables of the page, one for each group.
    static var tables: [ReferenceTable] {
        groups.map { group in
            ReferenceTable(
                "checks of tally-plugin, \(group.title)",
                columns: ["Check", "What has to hold", "What to do"],
                rows: group.checks.map { ["`\($0.name)`", $0.rule, $0.remedy] }
            )
        }
    }

    /// The list for people: the groups with the names and the rules.
    static var text: String {
        groups.map { group in
            let lines = group.checks.map { check in
                "  \(check.name)\(String(repeating: " ", count: max(1, 24 - check.name.count)))\(check.rule)"
            }
            return ([group.title] + lines).joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }
}
