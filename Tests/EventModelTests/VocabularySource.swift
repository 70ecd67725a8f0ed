/// Core/vocabulary.txt, of which the tables in the code and in the pages are made.
struct VocabularySource {
    struct Event {
        let number: Int
        let name: String
        /// What the delegate is asked for at the call, "-" for nothing.
        let reads: String
        let meaning: String
    }

    struct Attribute {
        let number: Int
        let name: String
        let type: String
        let unit: String
        let setBy: String
        let meaning: String

        /// What the page has of it beside name and mark.
        var columns: [String] { ["\(number)", type, unit, setBy, meaning] }
    }

    private(set) var events: [Event] = []
    private(set) var attributes: [Attribute] = []

    init() throws {
        for line in try SourceFile.text("Core/vocabulary.txt").split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: " | ").map(String.init)
            guard columns.count > 3, let number = Int(columns[0]) else { continue }
            if columns.count == 4 {
                events.append(Event(number: number, name: columns[1], reads: columns[2], meaning: columns[3]))
            } else {
                attributes.append(
                    Attribute(
                        number: number,
                        name: columns[1],
                        type: columns[2],
                        unit: columns[3],
                        setBy: columns[4],
                        meaning: columns[6]
                    )
                )
            }
        }
    }

    /// The names of the attributes that somebody sets.
    func names(setBy source: String) -> [String] {
        attributes.filter { $0.setBy == source }.map(\.name)
    }
}
