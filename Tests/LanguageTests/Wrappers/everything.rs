//! A tracker and a reporter in one file that use all of tally_plugin.rs. What they say is the same as that of
//! everything.cpp, and stands in said.txt.

mod tally {
    include!(env!("TALLY_PLUGIN_RS"));
}

use std::sync::mpsc::{channel, Sender};
use std::thread::JoinHandle;

use tally::abi::tally_state;
use tally::{
    attribute_flag, beacon, cap, event_type, extension, key, host_flag, log_level, output, part, patch, timer_scope,
    About, Attribute, Beacon, Error, Event, FlushRequest, Flushed, Host, Outcome, Output, Record, Remote, Reporter, Run,
    Tracker, Value,
};

/// The whole number of a member of flat JSON text.
fn number(json: &str, member: &str) -> Option<i64> {
    let (_, behind) = json.split_once(&format!("\"{member}\":"))?;
    behind.split(|letter: char| letter != '-' && !letter.is_ascii_digit()).next()?.parse().ok()
}

// ---- the tracker ----

#[derive(Default)]
struct Everything {
    run: String,
    visits: i64,
    period_us: i64,
    ticks: i64,
    cancelled: u64,
    late: u64,
    last_record: u64,
}

impl Tracker for Everything {
    const ABOUT: About = About::new("org.example.everything\0", "Everything\0", "Example\0", "1.0.0\0")
        .schema(concat!(
            r#"{"type":"object","additionalProperties":false,"properties":{"period_ms":{"type":"integer","minimum":1,"#,
            r#""maximum":100000,"default":1000}}}"#,
            "\0"
        ))
        .build("0-3a4f2c1\0")
        .requires(&[extension::STORE])
        .store_keys(&["visits\0"])
        .wanted_events(&[
            event_type::CUSTOM, event_type::PLAYER_ERROR, event_type::APPLICATION_ERROR, event_type::FIRST_UNKNOWN,
        ]);
    const RECONFIGURES: bool = true;
    const COMMANDS: &'static str = concat!(
        r#"[{"name":"mark","summary":"Says a record.","changes":true},"#,
        r#"{"name":"refused","summary":"Asks for what is refused."},"#,
        r#"{"name":"break","summary":"Fails in an unforeseen way."}]"#
    );

    fn new() -> Self {
        Everything { period_us: 1_000_000, ..Self::default() }
    }

    fn run_begins(&mut self, run: &Run) {
        self.run = format!("{} as {} at {} by {}", run.id(), run.instance(), run.epoch_us(), run.semantics());
        self.visits = run.stored("visits").and_then(|text| text.parse().ok()).unwrap_or(0);
    }

    fn configure(&mut self, _: &Host, config: &str) -> Outcome {
        self.period_us = number(config, "period_ms").unwrap_or(1000) * 1000;
        Ok(())
    }

    fn enable(&mut self, host: &Host) -> Outcome {
        host.emit(Record::new("enabled").str("run", &self.run).int("visits", self.visits))
    }

    fn disable(&mut self, host: &Host) -> Outcome {
        host.log(log_level::INFO, "everything is disabled");
        Err(Error::new("disable fails, and nobody asks"))
    }

    fn reconfigure(&mut self, host: &Host, config: &str, now_us: i64, now: &tally_state) -> Outcome {
        let period_ms = number(config, "period_ms").unwrap_or(1000);
        if period_ms == 13 {
            return Err(Error::configuration("period_ms must not be 13"));
        }
        self.period_us = period_ms * 1000;
        let record = Record::new("configured").int("period_ms", period_ms);
        host.emit(record.int("now_us", now_us).int("playhead_ms", now.playhead_ms))
    }

    fn command(
        &mut self, host: &Host, name: &str, arguments: &str, now_us: i64, now: &tally_state,
    ) -> Result<String, Error> {
        match name {
            "mark" => {
                let record = Record::new("mark").str("arguments", arguments);
                host.emit(record.int("now_us", now_us).int("playhead_ms", now.playhead_ms))?;
                Ok("{}".into())
            }
            "refused" => {
                let status = |outcome: Outcome| outcome.err().map_or(0, |error| i64::from(error.status));
                let key = status(host.store("nobody", "knows"));
                let kind = status(host.emit(Record::new("")));
                let sent = status(host.send(&Beacon::new("org.example.api", "POST", "two\nlines")));
                host.emit(Record::new("refused").int("key", key).int("kind", kind).int("beacon", sent))?;
                Ok("{}".into())
            }
            "break" => panic!("the command breaks"),
            _ => Err(Error::not_found(format!("there is no command {name}"))),
        }
    }

    fn session_begin(&mut self, host: &Host, snapshot: &Event) -> Outcome {
        self.ticks = 0;
        host.start_timer(snapshot.time_us() + self.period_us, timer_scope::SESSION)?;
        self.cancelled = host.start_timer(snapshot.time_us() + 1500, timer_scope::INSTANCE)?;
        host.cancel_timer(self.cancelled);
        host.cancel_timer(self.cancelled);
        // Behind the end of the session, in the run that is tried.
        self.late = host.start_timer(snapshot.time_us() + 8_030_000, timer_scope::INSTANCE)?;
        Ok(())
    }

    fn on_event(&mut self, host: &Host, event: &Event) -> Outcome {
        match event.kind() {
            event_type::CUSTOM => {
                if event.find_name("custom_name").and_then(|attribute| attribute.str()) == Some("odd") {
                    return Err(Error::with(7, "a status that is none"));
                }
                let mut record = Record::new("echo").int("ordinal", event.ordinal() as i64);
                for attribute in event.attributes() {
                    if let Some(value) = attribute.value() {
                        record = record.set(attribute.key(), &value);
                    }
                }
                let inner = Value::List(vec![Value::Str("two".into()), Value::Null]);
                let list = [Value::Int(1), inner, Value::Double(3.5)];
                self.last_record = host.emit_numbered(
                    record.null("own_null").bool("own_bool", true).double("own_whole", 4.0).double("own_double", 0.125)
                        .int("own_large", i64::MAX).bytes("own_bytes", &[0, 255]).list("own_list", &list)
                        .str("own_text", "ü").personal(),
                )?;
                host.log(log_level::DEBUG, "an echo");
                Ok(())
            }
            event_type::PLAYER_ERROR => {
                let message = event.find(key::ERROR_MESSAGE).and_then(|attribute| attribute.str()).unwrap_or("");
                host.player_error("E1", message, event.name())
            }
            event_type::APPLICATION_ERROR => panic!("the tracker breaks at event {}", event.ordinal()),
            _ => host.emit(Record::new("unknown").str("name", event.name())),
        }
    }

    fn on_timer(&mut self, host: &Host, timer: u64, deadline_us: i64, now: &tally_state) -> Outcome {
        if timer == self.late {
            return host.emit(Record::new("late").int("deadline_us", deadline_us));
        }
        self.ticks += 1;
        let record = Record::new("tick").int("deadline_us", deadline_us).int("playhead_ms", now.playhead_ms);
        host.emit(record.bool("cancelled", timer == self.cancelled).int("random", (host.random() % 1000) as i64))?;
        if self.ticks < 3 {
            host.start_timer(deadline_us + self.period_us, timer_scope::SESSION)?;
            return Ok(());
        }
        Err(Error::new("three ticks are enough"))
    }

    fn session_end(&mut self, host: &Host, reason: u32, _now_us: i64, _now: &tally_state) -> Outcome {
        self.visits += 1;
        host.store("visits", &self.visits.to_string())?;
        let made = Beacon::new("org.example.api", "POST", "https://example.org/?t=")
            .url_patch(patch::SEND_EPOCH_MS, 13)
            .url("&v=1")
            .header("Content-Type", "text/plain")
            .header("X-Twice", "1")
            .header("X-Twice", "2")
            .body("attempt ")
            .body_patch(patch::ATTEMPT, 3)
            .body(format!(" of {reason}"))
            .credential("secret")
            .carries(self.last_record)
            .flags(beacon::GZIP_WANTED | beacon::KEEP_ORDER)
            .max_age_s(60);
        host.send(&made)?;
        host.send(&Beacon::new("org.example.api", "GET", "https://example.org/"))
    }
}

// ---- the reporter ----

/// A value as both languages write it.
fn shown(attribute: &Attribute) -> String {
    let personal = if attribute.is_personal() { "!" } else { "" };
    let text = match attribute.value() {
        None => "unknown".into(),
        Some(Value::Null) => "null".into(),
        Some(Value::Bool(truth)) => truth.to_string(),
        Some(Value::Int(whole)) => whole.to_string(),
        Some(Value::Double(double)) => format!("{:.3}", double),
        Some(Value::Str(text)) => format!("'{text}'"),
        Some(Value::Bytes(bytes)) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        Some(Value::List(_)) => {
            let items: Vec<String> = attribute.list().into_iter().flatten().map(|item| shown(&item)).collect();
            format!("[{}]", items.join(" "))
        }
    };
    format!("{text}{personal}")
}

/// Writes a line for each output; another thread says that there is room, and answers flushes.
#[derive(Default)]
struct Lines {
    taken: i64,
    lines: i64,
    wants_lines: bool,
    wants_events: bool,
    was_full: bool,
    /// What the thread is to do: answer the flush with a token and a number of outputs, or say that there is room.
    work: Option<Sender<Option<(u64, u64)>>>,
    thread: Option<JoinHandle<()>>,
}

impl Lines {
    fn write(&self, line: String) -> Outcome {
        use std::io::Write;
        Ok(std::io::stdout().write_all((line + "\n").as_bytes())?)
    }
}

impl Reporter for Lines {
    const ABOUT: About = About::new("org.example.lines\0", "Lines\0", "Example\0", "1.0.0\0")
        .schema(concat!(
            r#"{"type":"object","additionalProperties":false,"properties":{"archive":{"type":"integer","minimum":0,"#,
            r#""maximum":1,"default":0},"events":{"type":"integer","minimum":0,"maximum":1,"default":1},"#,
            r#""input":{"type":"string"},"output":{"type":"string"}}}"#,
            "\0"
        ))
        .caps(cap::STREAMS | cap::OWN_THREADS)
        .read_paths(&["input\0"])
        .written_paths(&["output\0"]);
    const RECONFIGURES: bool = true;
    const COMMANDS: &'static str = concat!(
        r#"[{"name":"totals","summary":"What was taken.","changes":false},"#,
        r#"{"name":"break","summary":"Fails in an unforeseen way."}]"#
    );

    fn new() -> Self {
        Self::default()
    }

    fn wants(&self) -> u32 {
        let (lines, events) = (u32::from(self.wants_lines), u32::from(self.wants_events));
        let all = 1 << output::RECORD | 1 << output::BEACON | 1 << output::SESSION_END;
        all | lines << output::LINE | events << output::EVENT
    }

    fn configure(&mut self, host: &Host, config: &str) -> Outcome {
        self.reconfigure(host, config)
    }

    fn reconfigure(&mut self, _: &Host, config: &str) -> Outcome {
        self.wants_lines = number(config, "archive") == Some(1);
        self.wants_events = number(config, "events") != Some(0);
        Ok(())
    }

    fn enable(&mut self, host: &Host) -> Outcome {
        let remote: Remote = host.remote();
        let (work, todo) = channel();
        self.work = Some(work);
        self.thread = Some(std::thread::spawn(move || {
            for what in todo {
                match what {
                    Some((token, count)) => remote.flushed(token, Flushed { delivered: count, ..Flushed::default() }),
                    None => remote.ready(),
                }
            }
        }));
        Ok(())
    }

    fn disable(&mut self, host: &Host) -> Outcome {
        let says = matches!(host.status(), Ok(text) if text.starts_with('{'));
        host.log(log_level::DEBUG, if says { "the host says what it does" } else { "the host says nothing" });
        self.work = None;
        if let Some(thread) = self.thread.take() {
            thread.join().map_err(|_| Error::new("the thread broke"))?;
        }
        Ok(())
    }

    fn command(&mut self, host: &Host, name: &str, _arguments: &str) -> Result<String, Error> {
        match name {
            "totals" => {
                let (taken, lines) = (self.taken, self.lines);
                let waits = i64::from(host.flags() & host_flag::WAITS_FOR_ROOM != 0);
                Ok(format!("{{\"taken\":{taken},\"lines\":{lines},\"waits\":{waits}}}"))
            }
            "break" => panic!("the command breaks"),
            _ => Err(Error::not_found(format!("there is no command {name}"))),
        }
    }

    fn take(&mut self, _: &Host, output: &Output) -> Result<bool, Error> {
        if self.taken == 2 && !self.was_full {
            self.was_full = true;
            if let Some(work) = &self.work {
                let _ = work.send(None);
            }
            return Ok(false);
        }
        self.taken += 1;
        if output.line().is_some() {
            self.lines += 1;
            return Ok(true);
        }
        let (origin, from) = (output.origin(), output.instance());
        let head = format!("{} {} {} {}", origin.time_us, output.run(), origin.session, output.video_id());
        if let Some(record) = output.record() {
            let plugin = format!("{} {}", output.plugin_id(), output.plugin_version());
            self.write(format!("{head} {from} ({plugin}) {} {}", origin.ordinal, record.kind()))?;
            for attribute in record.attributes() {
                self.write(format!("  {}={}", attribute.key(), shown(&attribute)))?;
            }
        } else if let Some(event) = output.event() {
            let known = event.attributes().filter(|one| one.raw().flags as u32 & attribute_flag::CUSTOM == 0).count();
            self.write(format!("{head} {} {:x} {} {known}", event.name(), event.flags(), event.state().playhead_ms))?;
        } else if let Some(sent) = output.beacon() {
            self.write(format!("{head} {from} {} {} {}", sent.destination(), sent.method(), sent.url()))?;
            for (name, value) in sent.headers() {
                self.write(format!("  {name}: {value}"))?;
            }
            self.write(format!("  {} as {}", String::from_utf8_lossy(sent.body()), sent.credential()))?;
            for patch in sent.patches() {
                let place = if patch.part == part::URL { "url" } else { "body" };
                self.write(format!("  patch {} in {place} at {} of {}", patch.kind, patch.off, patch.width))?;
            }
            let carried: Vec<String> = sent.records().iter().map(|record| format!(" {record}")).collect();
            self.write(format!("  carries{}, {:x} {}", carried.concat(), sent.flags(), sent.max_age_s()))?;
        } else {
            let what = output.gap().map_or("session ends".into(), |count| format!("gap of {count}"));
            self.write(format!("{head} {what}"))?;
        }
        Ok(true)
    }

    fn answer_flush(&mut self, _: &Host, request: &FlushRequest) -> Result<Option<Flushed>, Error> {
        match &self.work {
            Some(work) if request.taken > 0 && work.send(Some((request.token, request.taken))).is_ok() => Ok(None),
            _ => Ok(Some(Flushed { delivered: request.taken, ..Flushed::default() })),
        }
    }
}

tally::tally_plugins!(tracker Everything, reporter Lines);
