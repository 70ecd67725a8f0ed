//! @NAME@: measures how long the viewer waits for data, and counts pauses.

mod tally {
    include!(env!("TALLY_PLUGIN_RS"));
}

use tally::abi::tally_state;
use tally::{event_type, key, known, About, Event, Host, Outcome, Record, Tracker};

#[derive(Default)]
struct @TYPE@ {
    video: String,
    pauses: i64,
    waits: i64,
    waited_us: i64,
    waiting_since_us: Option<i64>,
}

impl @TYPE@ {
    fn finish_wait(&mut self, host: &Host, now_us: i64, now: &tally_state) -> Outcome {
        let since_us = match self.waiting_since_us.take() {
            Some(since_us) => since_us,
            None => return Ok(()),
        };
        self.waits += 1;
        self.waited_us += now_us - since_us;
        let mut record = Record::new("wait").int("waited_ms", (now_us - since_us) / 1000);
        if now.known & known::PLAYHEAD != 0 {
            record = record.int("playhead_ms", now.playhead_ms);
        }
        host.emit(record)
    }
}

impl Tracker for @TYPE@ {
    const ABOUT: About = About::new("@ID@\0", "@NAME@\0", "@VENDOR@\0", "0.1.0\0");

    fn new() -> Self {
        Self::default()
    }

    fn session_begin(&mut self, _: &Host, _: &Event) -> Outcome {
        *self = Self::default();
        Ok(())
    }

    /// Ignores what it does not know: a newer host may say more.
    fn on_event(&mut self, host: &Host, event: &Event) -> Outcome {
        match event.kind() {
            event_type::VIDEO_LOAD => {
                let name = event.find(key::VIDEO_NAME).and_then(|attribute| attribute.str());
                self.video = name.unwrap_or_default().to_string();
            }
            event_type::PAUSE => self.pauses += 1,
            event_type::BUFFER_START => {
                self.waiting_since_us.get_or_insert(event.time_us());
            }
            event_type::BUFFER_COMPLETE => self.finish_wait(host, event.time_us(), &event.state())?,
            _ => {}
        }
        Ok(())
    }

    fn session_end(&mut self, host: &Host, _reason: u32, now_us: i64, now: &tally_state) -> Outcome {
        self.finish_wait(host, now_us, now)?;
        let record = Record::new("summary").str("video", &self.video).int("pauses", self.pauses);
        host.emit(record.int("waits", self.waits).int("waited_ms", self.waited_us / 1000))
    }
}

tally::tally_tracker!(@TYPE@);
