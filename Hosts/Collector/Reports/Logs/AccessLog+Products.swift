/// The logs of known products.
extension AccessLog {
    /// nginx, whose time is that at which the line is written: the request's end.
    ///
    /// The template is its `log_format`; the one named `combined` unless it is given.
    package static func nginx(
        _ template: String = #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent"#
            + #" "$http_referer" "$http_user_agent""#
    ) -> AccessLog {
        let columns: [String: LogColumn] = [
            "time_local": .commonTime, "time_iso8601": .dateAndTime, "msec": .seconds, "request": .requestLine,
            "request_uri": .target, "host": .host, "http_host": .host, "status": .status, "body_bytes_sent": .bytes,
            "bytes_sent": .bytes, "request_time": .durationInSeconds, "http_cmcd_object": .header("CMCD-Object"),
            "http_cmcd_request": .header("CMCD-Request"), "http_cmcd_session": .header("CMCD-Session"),
            "http_cmcd_status": .header("CMCD-Status"),
        ]
        return AccessLog(.template(template), columns: columns, moment: .end)
    }

    /// CloudFront's standard log, whose time is that of the answer's end.
    package static func cloudFront() -> AccessLog {
        w3c(moment: .end)
    }

    /// The extended log format of the W3C, whose time may be the request's beginning or end; `time-taken` is in s.
    package static func w3c(moment: LoggedRequest.Moment = .unknown) -> AccessLog {
        let columns: [String: LogColumn] = [
            "date": .date, "time": .timeOfDay, "cs-uri-stem": .target, "cs-uri": .target, "cs-uri-query": .query,
            "x-host-header": .host, "cs-host": .host, "sc-status": .status, "sc-bytes": .bytes,
            "time-taken": .durationInSeconds, "time-to-first-byte": .firstByteInSeconds,
            "cs(CMCD-Object)": .header("CMCD-Object"), "cs(CMCD-Request)": .header("CMCD-Request"),
            "cs(CMCD-Session)": .header("CMCD-Session"), "cs(CMCD-Status)": .header("CMCD-Status"),
        ]
        return AccessLog(.w3c, columns: columns, moment: moment)
    }

    /// Akamai's DataStream 2 in JSON, whose time is that at which the request came.
    package static func dataStream() -> AccessLog {
        let columns: [String: LogColumn] = [
            "reqTimeSec": .seconds, "reqPath": .target, "queryStr": .query, "reqHost": .host, "statusCode": .status,
            "bytes": .bytes, "transferTimeMSec": .duration, "timeToFirstByte": .firstByte, "CMCD": .escapedPayload,
            "cmcd": .escapedPayload,
        ]
        return AccessLog(.json, columns: columns, moment: .start)
    }

    /// Values parted by tabs behind a line of their names: those of nginx, of the W3C and the plain words `time`,
    /// `target`, `host`, `status`, `bytes` and `duration_ms`.
    package static func tabSeparated(moment: LoggedRequest.Moment = .unknown) -> AccessLog {
        let columns: [String: LogColumn] = [
            "time": .dateAndTime, "target": .target, "url": .target, "host": .host, "status": .status, "bytes": .bytes,
            "duration_ms": .duration, "first_byte_ms": .firstByte, "CMCD-Object": .header("CMCD-Object"),
            "CMCD-Request": .header("CMCD-Request"), "CMCD-Session": .header("CMCD-Session"),
            "CMCD-Status": .header("CMCD-Status"),
        ]
        return AccessLog(.tabs, columns: columns, moment: moment)
    }
}
