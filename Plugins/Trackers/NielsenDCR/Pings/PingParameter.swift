internal import PluginKit

/// One parameter of a GN ping.
package struct PingParameter: Sendable {
    /// Its key.
    package let key: StaticString
    /// What stands before the value, with a comma; empty for most.
    package let label: StaticString
    /// Whether it is never filled: the vendor's sample has nothing either.
    package let isEmpty: Bool
    /// The value in a ping.
    let value: @Sendable (PingWriter, Ping) -> Value

    /// A value as it is written.
    enum Value {
        case text(String)
        case word(StaticString)
        case number(Int64)
        /// When it is sent: a reporter fills it in.
        case sendTime
    }

    private init(
        _ key: StaticString,
        label: StaticString = "",
        _ value: @escaping @Sendable (PingWriter, Ping) -> Value
    ) {
        (self.key, self.label, self.value) = (key, label, value)
        isEmpty = false
    }

    /// A parameter that always has the same value, by default none.
    private init(_ key: StaticString, label: StaticString = "", _ constant: StaticString = "") {
        (self.key, self.label) = (key, label)
        value = { _, _ in .word(constant) }
        isEmpty = constant.utf8CodeUnitCount == 0
    }

    /// A key of the content's metadata, with a value for when it is not there.
    private init(_ key: StaticString, label: StaticString = "", content: String, otherwise: StaticString = "") {
        self.init(key, label: label) { _, ping in ping.metadata(content).map(Value.text) ?? .word(otherwise) }
    }
}

extension PingParameter {
    /// All parameters in the order of the guide's sample (DCR Sweden Video iOS SDK, "Example of GN ping").
    package static let order: [PingParameter] = [
        PingParameter("prd", "dcr"),
        PingParameter("ci") { writer, _ in .text(writer.configuration.clientID) },
        PingParameter("ch") { .text($1.channel(of: $0)) },
        PingParameter("asn") { .text($1.section ?? "defChnAsset") },
        PingParameter("fp_id"),
        PingParameter("fp_cr_tm"),
        PingParameter("fp_acc_tm"),
        PingParameter("fp_emm_tm"),
        PingParameter("ve_id"),
        PingParameter("devmodel"),
        PingParameter("manuf"),
        PingParameter("sysname"),
        PingParameter("sysversion"),
        PingParameter("sessionId") { writer, _ in .text(writer.sessionID) },
        // Keys of the content alone are blank in a ping about static content.
        PingParameter("tl") { _, ping in .text(ping.section != nil ? "" : ping.metadata("title") ?? "") },
        PingParameter("prv", "1"),
        PingParameter("c6", label: "vc,") { .text($1.subbrand(of: $0)) },
        PingParameter("ca") { .text($1.contentAsset(of: $0)) },
        PingParameter("cg", content: "program"),
        PingParameter("c13", label: "asid,") { writer, _ in .text(writer.application?.appID ?? "") },
        PingParameter("c32", label: "segA,", content: "segA", otherwise: "NA"),
        PingParameter("c33", label: "segB,", content: "segB", otherwise: "NA"),
        PingParameter("c34", label: "segC,", content: "segC", otherwise: "NA"),
        PingParameter("c15", label: "apn,") { writer, _ in .text(writer.application?.name ?? "") },
        PingParameter("plugv"),
        PingParameter("playerv"),
        PingParameter("sup", "1"),
        PingParameter("segment2"),
        PingParameter("segment1"),
        PingParameter("forward", "0"),
        PingParameter("ad") { _, ping in .word(ping.kind.isAd ? "1" : "0") },
        PingParameter("cr") { _, ping in .text(ping.credit) },
        PingParameter("c9", label: "devid,"),
        PingParameter("enc", "true"),
        PingParameter("c1", label: "nuid,") { .text($1.isOptedOut || $0.isForKids ? "" : $0.configuration.nuid) },
        PingParameter("at") { _, ping in .word(ping.moment.at) },
        PingParameter("rt") { _, ping in .word(ping.section != nil ? "text" : ping.isAudioOnly ? "audio" : "video") },
        PingParameter("c16", label: "sdkv,tally.") { _, _ in .word(NielsenDCRTracker.version) },
        PingParameter("c27", label: "cln,") { _, ping in .number(ping.asset.seconds) },
        PingParameter("crs"),
        PingParameter("lat"),
        PingParameter("lon"),
        PingParameter("c29", label: "plid,") { _, ping in .text(ping.asset.playerID) },
        PingParameter("c30", label: "bldv,") { _, _ in .word(NielsenDCRTracker.version) },
        PingParameter("st", "dcr"),
        PingParameter("c7", label: "osgrp,"),
        PingParameter("c8", label: "devgrp,"),
        PingParameter("c10", label: "plt,"),
        PingParameter("c40", label: "adbid,"),
        PingParameter("c14", label: "osver,", "NA"),
        PingParameter("c26", label: "dmap,", "1"),
        PingParameter("dd"),
        PingParameter("hrd"),
        PingParameter("wkd"),
        PingParameter("c35", label: "adrsid,"),
        PingParameter("c36", label: "cref1,", content: "crossId1"),
        PingParameter("c37", label: "cref2,", content: "crossId2"),
        PingParameter("c11", label: "agg,", "1"),
        PingParameter("c12", label: "apv,") { writer, _ in .text(writer.application?.version ?? "") },
        PingParameter("c51", label: "adl,") { _, ping in .number(ping.adSeconds) },
        PingParameter("c52", label: "noad,") { _, ping in .number(ping.adCount) },
        PingParameter("sd", content: "length"),
        PingParameter("devtypid"),
        PingParameter("pc", "NA"),
        PingParameter("c53", label: "fef,", content: "isfullepisode", otherwise: "n"),
        PingParameter("c54", label: "oad,", content: "airdate"),
        PingParameter("c55", label: "cref3,"),
        PingParameter("c57", label: "adldf,", content: "adloadtype", otherwise: "2"),
        PingParameter("ai") { _, ping in .text(ping.asset.metadata.assetID) },
        // The letter of an ad is inferred: no sample of one was seen.
        PingParameter("c3", label: "st,") { _, ping in .word(ping.kind.isAd ? "a" : "c") },
        PingParameter("c64", label: "starttm,") { _, ping in .number(ping.asset.streamStart ?? ping.created) },
        PingParameter("adid") { _, ping in .text(ping.asset.metadata.assetID) },
        PingParameter("c58", label: "isLive,") { _, ping in .word(ping.isLive ? "true" : "false") },
        PingParameter("c59", label: "sesid,") { _, ping in .text(ping.viewingSession) },
        PingParameter("c61", label: "createtm,") { _, ping in .number(ping.created) },
        PingParameter("c63", label: "pipMode,", content: "pipmode"),
        PingParameter("c68", label: "bndlid,"),
        PingParameter("nodeTM"),
        PingParameter("logTM"),
        PingParameter("c73", label: "phtype,"),
        PingParameter("c74", label: "dvcnm,"),
        PingParameter("c76", label: "adbsnid,"),
        PingParameter("c77", label: "adsuprt,", content: "hasAds", otherwise: "2"),
        PingParameter("uoo") { _, ping in .word(ping.isOptedOut ? "true" : "") },
        PingParameter("evdata"),
        PingParameter("c71", label: "ottflg,", "0"),
        PingParameter("c72", label: "otttyp,", "none"),
        PingParameter("c44", label: "progen,"),
        PingParameter("davty") { _, ping in .number(ping.moment.davty) },
        PingParameter("si"),
        // An address within the address: encoded once more.
        PingParameter("c66", label: "mediaurl,") { _, ping in
            .text(PercentEncoding.encode(ping.metadata("mediaURL") ?? ping.mediaURL))
        },
        PingParameter("c62", label: "sendTime,") { _, _ in .sendTime },
        PingParameter("rnd") { writer, _ in .number(Int64(writer.host.random() % 1_000_000)) },
    ]
}
