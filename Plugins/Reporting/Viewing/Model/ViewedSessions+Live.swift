package import Metrics
package import TextEncoding

// What is shown while sessions go on: what goes on now, and of what has ended the last hours.
extension ViewedSessions {
    /// How long nothing may come of a run until it counts as gone, us: the queue may have lost its end.
    private static let longestSilence: Int64 = 6 * 3_600_000_000

    /// Tells what time it is by the wall clock, us since 1970.
    ///
    /// It looks at all sessions that go on then, and forgets what is over for too long.
    package func advance(to now: Int64) {
        let before = self.now
        self.now = now
        look()
        set.advance(to: now)
        guard let keep = limits.keep, before / Self.pruning(keep) != now / Self.pruning(keep) else { return }
        rows.removeAll { $0.endedAt <= now - keep }
        pages.removeAll { $0.endedAt <= now - keep }
        shelve()
        runs = runs.filter { $0.value.heard > now - Self.longestSilence || $0.value.heard == 0 }
        if titles.count >= limits.titles { titles = [:] }
    }

    /// How often is looked for what is over, us.
    private static func pruning(_ keep: Int64) -> Int64 { min(10_000_000, max(keep / 60, 1)) }

    private func look() {
        running.beginLook(at: now)
        for (run, metrics) in openSessions {
            run.count(metrics, in: &running)
            if let asset = metrics.attributes["video_id"]?.description,
                let title = metrics.attributes["video_name"]?.description,
                titles.count < limits.titles || titles[asset] != nil
            {
                titles[asset] = title
            }
        }
        running.endLook()
    }

    /// Forgets the sessions that go on: what comes next of them is that of sessions under way.
    package func forgetOpenSessions() {
        current = nil
        runs = [:]
        look()
    }

    /// How many sessions go on.
    package var openCount: Int { openSessions.count }

    /// Writes the members of what goes on now.
    package func writeLive(to writer: inout JSONWriter) {
        writer.key("now_ms")
        writer.int(now / 1000)
        writer.key("keep_s")
        writer.int((limits.keep ?? 0) / 1_000_000)
        writer.key("joined_sessions")
        writer.int(Int64(joinedCount))
        running.write(to: &writer) { titles[$0] }
    }

    /// How many sessions go on whose begin was not seen, so that they are known from some event on.
    private var joinedCount: Int { openSessions.count { $0.metrics.isJoined } }

    /// The data of a session's page, and whether they are packed; nil when it has none.
    package func page(run name: String, number: UInt32) -> (bytes: [UInt8], isPacked: Bool)? {
        shelve()
        if let run = runs[name], let metrics = run.measurement.openSession, metrics.session == number,
            let recording = run.recording
        {
            let title = metrics.attributes["video_name"]?.description
            return (recording.page(metrics, dimensions: set.dimensions, title: title), false)
        }
        guard let session = pages.sessions.first(where: { $0.number == number && $0.run == name }) else { return nil }
        return session.page.map { ($0, session.isPacked) }
    }

    // MARK: - Storing

    /// What has changed since this was asked last, to be stored.
    package func removeUnsaved() -> UnsavedSessions {
        defer { unsaved = [] }
        return UnsavedSessions(
            sessions: unsaved,
            sets: set.removeUnsaved(),
            minutes: running.removeUnsaved(),
            courses: courses.removeUnsaved(),
            errors: errors.removeUnsaved()
        )
    }

    /// Takes over what was stored.
    package func restore(_ stored: UnsavedSessions) {
        for session in stored.sessions {
            _ = rows.add(session)
            if session.page != nil { _ = pages.add(session) }
            // The row has the asset at place 3, and its title behind it.
            let cells = (try? JSONParser().parse(session.row))?.array ?? []
            if cells.count > 4, let asset = cells[3].string, let title = cells[4].string, titles.count < limits.titles {
                titles[asset] = title
            }
        }
        set.restore(stored.sets)
        running.restore(stored.minutes)
        courses.restore(stored.courses)
        errors.restore(stored.errors)
    }
}

/// What is stored of sessions that have ended, and of the minutes of the last hour.
package struct UnsavedSessions {
    /// Sessions of the list, with the data of their pages.
    package var sessions: [KeptSession]
    /// Sets of metrics, and where their stretch of time begins, us since 1970.
    package var sets: [(begin: Int64, set: MetricSet)]
    /// Minutes of assets.
    package var minutes: [StoredMinute]
    /// Minutes of the content of assets.
    package var courses: [StoredCourse]
    /// What players said of errors.
    package var errors: [StoredErrorText]

    /// What was read.
    package init(
        sessions: [KeptSession],
        sets: [(begin: Int64, set: MetricSet)],
        minutes: [StoredMinute],
        courses: [StoredCourse],
        errors: [StoredErrorText]
    ) {
        self.sessions = sessions
        self.sets = sets
        self.minutes = minutes
        self.courses = courses
        self.errors = errors
    }
}
