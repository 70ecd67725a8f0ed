/// What an application tells of itself when it makes an instance (DCR Sweden Video iOS SDK, "Create SDK Instance").
package struct ApplicationInformation: Sendable, Equatable {
    /// The id that the vendor assigned; nil when it is not given.
    package internal(set) var appID: String?
    /// Name of the application; nil when it is not given.
    package internal(set) var name: String?
    /// Version of the application; nil when it is not given.
    package internal(set) var version: String?
    /// The vendor's `nol_devDebug`; nil when it is not given.
    var debug: String?

    /// Whether the vendor's console log is on.
    package var isDebugging: Bool { debug == "DEBUG" }

    /// What is wrong with it; the instance works when none of it concerns the id.
    package var problems: [(code: VendorCode, key: String, message: String)] {
        var problems: [(code: VendorCode, key: String, message: String)] = []
        if appID?.isEmpty ?? true {
            problems.append((.emptyAppId, "appid", "\"appid\" is missing; it is assigned by Nielsen"))
        } else if !isUsable {
            problems.append((.failedParseStartInfo, "appid", "\"appid\" is no GUID as Nielsen assigns it"))
        }
        if name == "" { problems.append((.emptyAppName, "appname", "\"appname\" is empty")) }
        if version == "" { problems.append((.emptyAppVersion, "appversion", "\"appversion\" is empty")) }
        return problems
    }

    /// Whether the id is a GUID, the first digit of which may be a `P` or have one before it.
    package var isUsable: Bool {
        let groups = (appID ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard groups.count == 5 else { return false }
        let first = groups[0].hasPrefix("P") ? groups[0].dropFirst() : groups[0]
        return (7...8).contains(first.utf8.count) && groups[1...3].allSatisfy { $0.utf8.count == 4 }
            && groups[4].utf8.count == 12 && ([first] + groups[1...]).allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }
}
