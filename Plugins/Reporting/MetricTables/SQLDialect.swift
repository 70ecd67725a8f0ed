/// What databases say in different words, for queries that are otherwise the same.
///
/// A value may be anything that a player said, so nothing may fail on its size: in PostgreSQL, where a sum that is too
/// large is an error, numbers that come from players are made exact ones of any size before anything is done with them.
package enum SQLDialect: Sendable {
    case sqlite, postgres

    /// An exact number in which no sum or product overflows.
    func exact(_ value: String) -> String { self == .sqlite ? value : "(\(value))::numeric" }

    /// The whole part of a quotient of two whole numbers.
    func quotient(_ value: String, _ divisor: String) -> String {
        self == .sqlite ? "(\(value)) / (\(divisor))" : "div(\(exact(value)), \(exact(divisor)))"
    }

    /// The whole part of a number.
    func whole(_ value: String) -> String { self == .sqlite ? "CAST(\(value) AS INTEGER)" : "trunc(\(value))" }

    /// A number with a fraction, at the price of exactness.
    func real(_ value: String) -> String { self == .sqlite ? "\(value) * 1.0" : "(\(value))::double precision" }

    /// The larger of two values; NULL when one is.
    func larger(_ one: String, _ other: String) -> String { choice("max", "greatest", one, other) }

    /// The smaller of two values; NULL when one is.
    func smaller(_ one: String, _ other: String) -> String { choice("min", "least", one, other) }

    private func choice(_ sqlite: String, _ postgres: String, _ one: String, _ other: String) -> String {
        if self == .sqlite { return "\(sqlite)(\(one), \(other))" }
        return "CASE WHEN (\(one)) IS NOT NULL AND (\(other)) IS NOT NULL THEN \(postgres)(\(one), \(other)) END"
    }

    /// The sum of all values as a number with a fraction; 0 of none.
    func total(_ value: String, where condition: String? = nil) -> String {
        let filter = condition.map { " FILTER (WHERE \($0))" } ?? ""
        if self == .sqlite { return "total(\(value))\(filter)" }
        return "coalesce(sum((\(value))::double precision)\(filter), 0)"
    }

    /// The mean of all values that are not NULL.
    func mean(_ value: String) -> String {
        self == .sqlite ? "avg(\(value))" : "avg((\(value))::double precision)"
    }

    /// Whether a condition holds for any row.
    func any(_ condition: String) -> String { self == .sqlite ? "max(\(condition))" : "bool_or(\(condition))" }

    /// A whole number as text that sorts as the numbers do.
    func sortable(_ number: String) -> String {
        self == .sqlite ? "printf('%020d', \(number))" : "lpad((\(number))::text, 20, '0') COLLATE \"C\""
    }

    /// An attribute of a column with JSON that is a text.
    func text(_ column: String, _ name: String) -> String {
        self == .sqlite ? "json_extract(\(column), '$.\(name)')" : "(\(column) ->> '\(name)')"
    }

    /// One that is a number.
    func number(_ column: String, _ name: String) -> String {
        if self == .sqlite { return text(column, name) }
        return "CASE WHEN jsonb_typeof(\(column) -> '\(name)') = 'number' THEN (\(column) ->> '\(name)')::numeric END"
    }

    /// One that is true; what is not there is false.
    func truth(_ column: String, _ name: String) -> String {
        if self == .sqlite { return "coalesce(\(text(column, name)), 0)" }
        return "coalesce(\(column) -> '\(name)' = 'true'::jsonb, false)"
    }

    /// A column with a truth that may be NULL, which is false.
    func isTrue(_ column: String) -> String { self == .sqlite ? "\(column) IS 1" : "\(column) IS TRUE" }

    /// How precisely a time is written.
    enum Precision {
        case millisecond, hour, day
    }

    /// A time, us since 1970, as text in UTC; NULL when no calendar has it.
    func time(_ microseconds: String, _ precision: Precision) -> String {
        guard self == .postgres else {
            let form =
                switch precision {
                case .millisecond: "%Y-%m-%dT%H:%M:%fZ"
                case .hour: "%Y-%m-%dT%H:00Z"
                case .day: "%Y-%m-%d"
                }
            return "strftime('\(form)', (\(microseconds)) / 1000000.0, 'unixepoch')"
        }
        let form =
            switch precision {
            case .millisecond: "YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\""
            case .hour: "YYYY-MM-DD\"T\"HH24:00\"Z\""
            case .day: "YYYY-MM-DD"
            }
        let time = exact(microseconds)
        return """
            CASE WHEN \(time) BETWEEN 0 AND 253402300799000000
                THEN to_char(to_timestamp(round(\(time) / 1000) / 1000.0) AT TIME ZONE 'UTC', '\(form)') END
            """
    }

    /// A parameter of a statement, counted from 1.
    package func parameter(_ number: Int) -> String { self == .sqlite ? "?\(number)" : "$\(number)" }

    /// Joins events to sessions: SQLite is to begin with the sessions.
    var sessionsWithEvents: String {
        self == .sqlite
            ? "sessions CROSS JOIN events USING (run, session)" : "sessions JOIN events USING (run, session)"
    }
}
