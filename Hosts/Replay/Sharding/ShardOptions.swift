internal import HostSupport

/// The options that say which share of the archives of a manifest is read.
enum ShardOptions {
    private static let section = "Shards"

    static let manifest = Setting(
        "manifest",
        .text("FILE"),
        in: section,
        needs: ["shard"],
        excludes: ["files-from", "follow", "checkpoint"],
        "Read what one shard of this manifest names, in the place of archives.",
        details: "See [shards](#shards)."
    )
    static let shard = Setting(
        "shard",
        .integer("NUMBER", 0...(.max)),
        in: section,
        needs: ["manifest"],
        "Which shard that is, from 0 on."
    )

    static let all: [any DeclaredSetting] = [manifest, shard]

    /// The archives of the shard, or those that the operands and ``InputOptions`` name; nil when one names nothing,
    /// which the log says.
    static func archives(_ arguments: CommandLineArguments, _ log: LogPrinter) throws(HostError) -> [ArchiveOperand]? {
        guard let path = arguments[manifest], let number = arguments[shard] else {
            return ArchiveOperand.expand(arguments, log)
        }
        do throws(InputFile.Failure) {
            return try ShardManifest.archives(of: number, in: path)
        } catch {
            throw .unusable(error.message, error.exitCode)
        }
    }

    /// Makes sure that archives are named, by one of the ways.
    static func check(_ arguments: CommandLineArguments) throws(UsageError) {
        guard arguments.isGiven(manifest) else { return try InputOptions.check(arguments) }
        if let operand = arguments.operands.first { throw .unexpectedArgument(operand, limit: 0) }
    }
}
