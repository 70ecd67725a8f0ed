/// A reporter: takes what trackers say, and the events, and delivers them to one kind of place.
///
/// The kit makes one instance for each configured reporter and calls it on the one thread that it has. A reporter is
/// the only place for input and output, and answers no tracker. What it is lent is valid until the call returns.
public protocol Reporter: AnyObject, SendableMetatype {
    /// What the reporter is; the same each time.
    static var descriptor: ReporterDescriptor { get }

    /// Makes an instance; the host must not be called yet.
    init(host: ReporterHost)

    /// Takes over the configuration; called once, before everything else. Its form fits the descriptor's schema.
    func configure(_ configuration: JSONValue) throws(ConfigurationError)

    /// Which outputs it wants to take; read once, after ``configure(_:)``.
    var wants: OutputKinds { get }

    /// Opens what it delivers to; may be called again after ``disable()``.
    func enable() throws(ReporterFault)

    /// Takes outputs and gives how many, from the first on; fewer than all means that it is full for now.
    ///
    /// After a fault all of them count as dropped.
    func take(_ outputs: OutputBatch) throws(ReporterFault) -> Int

    /// Delivers or safely keeps what it took, then answers by ``ReporterHost/answer(_:delivered:kept:dropped:)``.
    ///
    /// The answer can be given in this call or later.
    func flush(_ request: FlushRequest)

    /// Ends the work and closes what ``enable()`` opened.
    func disable()
}

extension Reporter {
    /// Takes every configuration that fits the schema and uses nothing of it.
    public func configure(_ configuration: JSONValue) throws(ConfigurationError) {}

    /// Everything.
    public var wants: OutputKinds { .all }

    /// Does nothing.
    public func enable() throws(ReporterFault) {}

    /// Does nothing.
    public func disable() {}
}
