internal import TextEncoding

/// One line of an output, with what it is aligned by.
struct ComparedLine {
    /// Lines of one kind that one plugin instance made in one run; they are aligned among themselves.
    struct Group: Hashable {
        let run: String
        let instance: String
        /// `record`, `beacon` or another kind of line.
        let line: String
    }

    let group: Group
    /// The number that the line has in its group; 0 when it has none.
    let ordinal: Int64
    /// Time in the run, us.
    let time: Int64
    /// What it is among its like: a record's kind, a beacon's method and destination, an event's type.
    let kind: String
    let members: JSONObject
    /// Its number in the file, from 1.
    let number: Int
    /// Its length, bytes.
    let size: Int

    /// Takes a line that was read; nil when it is no line of the reporter `jsonlines`.
    init?(_ value: JSONValue, number: Int, size: Int) {
        guard let members = value.object, let line = members["line"]?.string, let run = members["run"]?.string else {
            return nil
        }
        group = Group(run: run, instance: members["instance"]?.string ?? "", line: line)
        ordinal = members["n"]?.int ?? 0
        time = members["t_us"]?.int ?? 0
        if let text = members["kind"]?.string ?? members["type"]?.string {
            kind = text
        } else if let destination = members["destination"]?.string {
            kind = "\(members["method"]?.string ?? "") \(destination)"
        } else {
            kind = ""
        }
        self.members = members
        self.number = number
        self.size = size
    }
}
