package import HTTPTransfer
package import PluginKit
package import Spooling

/// What the reporter is configured with.
package struct CMCDConfiguration: HTTPDeliveryConfiguration {
    /// How it keeps, tries again and gives up.
    package var spooling = SpoolOptions()
    /// How it sends.
    package var transfer = TransferOptions()
    var url = "http://localhost:8095/cmcd/default"
    var events = ReportedEvent.allCases
    /// How often a session is reported of while nothing else happens, ms; 0 is never.
    var interval: Int64 = 30_000
    /// The run time that a body holds at most, ms.
    var batchInterval: Int64 = 1_000
    var requestAddresses = RequestAddressStyle.withoutQuery
    /// The name of the secret to add; empty for none.
    var credential = ""

    /// What is taken.
    var wants: OutputKinds {
        // Without a spool on the disk it does not know what an earlier process has sent.
        spooling.spool == nil ? [.events, .sessions, .runs, .gaps] : [.events, .sessions, .runs, .gaps, .recovered]
    }

    /// What the target is called where counts are told: its host.
    var destination: String {
        let rest = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        return String(rest.prefix { !"/?#".contains($0) })
    }

    package init() {}

    package static let keys =
        [
            Key("url", \.url, address, "Address of the target, such as `https://cmcd.example.com/c/acme`."),
            Key(
                "events",
                \.events,
                .list(of: .word, least: 1, most: ReportedEvent.allCases.count).withoutShownDefault,
                "What is reported, in the standard's words; all unless given."
            ),
            Key(
                "interval_ms",
                \.interval,
                .integer(0...3_600_000),
                "How often `t` is sent while the player says something; 0 sends none."
            ),
            Key(
                "batch_ms",
                \.batchInterval,
                .integer(1...600_000),
                "How much of a run's time a body holds at most. It ends with the session, too, and when it is large."
            ),
            Key(
                "request_addresses",
                \.requestAddresses,
                .word,
                "How much of requests' addresses is told: all, all but the query, or the host alone."
            ),
            Key("credential", \.credential, .text.withoutShownDefault, "Secret to add, by its name in `credentials`."),
        ] + SpoolOptions.keys(of: .reports).map { $0.moved(to: \.spooling) }
        + TransferOptions.keys.map { $0.moved(to: \.transfer) }

    private static let address = ConfigurationForm.text.checked { text, key throws(ConfigurationError) in
        let expected = "an address such as https://cmcd.example.com/c/acme"
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .unusable(key: key, value: "\"\(text)\"", expected: expected) }
        let rest = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        guard let first = rest.first, !"/?#:".contains(first) else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: expected)
        }
        guard !text.contains("@") else {
            throw .unusable(key: key, value: "(not shown)", expected: expected + ", with secrets in \"credentials\"")
        }
    }

    /// A secret that is asked for is there.
    package mutating func validate(at path: String) throws(ConfigurationError) {
        guard credential.isEmpty || transfer.has(credential) else {
            throw .unusable(key: "credential", value: "\"\(credential)\"", expected: "a name in \"credentials\"")
        }
    }
}
