//! A tracker that speaks for a share of the runs: one in a hundred, the same ones live, in a replay and on any machine.
//!
//! What costs too much to keep of every viewer is kept of these: each event with its name, time and state. Whether a
//! run is one of them follows from its id alone, so that any number of plugins agree.

mod tally {
    include!(env!("TALLY_PLUGIN_RS"));
}

use tally::abi::tally_state;
use tally::{event_type, known, About, Error, Event, Host, Outcome, Record, Run, Tracker};

/// FNV-1a in 64 bits with a last mix. What a run id gives is written down in README.md, and never changes: a hash of
/// the standard library may be another one in each version, and is salted in each process.
fn hash(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
    }
    // The low bits of short texts that differ at their end are alike without it.
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

/// Whether a run is one of the share, in ten thousandths.
fn is_chosen(run: &str, share: u64) -> bool {
    hash(run) % 10_000 < share
}

struct Sampler {
    run: String,
    share: u64,
    is_chosen: bool,
    events: i64,
}

impl Sampler {
    fn record(&self, kind: &str, now: &tally_state) -> Record {
        let record = Record::new(kind);
        if now.known & known::PLAYHEAD == 0 { record } else { record.int("playhead_ms", now.playhead_ms) }
    }
}

impl Tracker for Sampler {
    const ABOUT: About = About::new("org.tally.example.sampler\0", "Sampler\0", "Tally\0", "1.0.0\0").schema(concat!(
        r#"{"type":"object","additionalProperties":false,"properties":{"share":{"type":"integer","minimum":0,"#,
        r#""maximum":10000,"default":100,"description":"How many runs of ten thousand are reported."}}}"#,
        "\0"
    ));

    fn new() -> Self {
        Sampler { run: String::new(), share: 100, is_chosen: false, events: 0 }
    }

    fn run_begins(&mut self, run: &Run) {
        self.run = run.id().to_string();
    }

    /// The host has held it against the schema: the one number in it is the share.
    fn configure(&mut self, _: &Host, config: &str) -> Outcome {
        let digits: String = config.chars().filter(char::is_ascii_digit).collect();
        if !digits.is_empty() {
            self.share = digits.parse().map_err(|_| Error::configuration("share is a whole number up to 10000"))?;
        }
        self.is_chosen = is_chosen(&self.run, self.share);
        Ok(())
    }

    fn session_begin(&mut self, _: &Host, _: &Event) -> Outcome {
        self.events = 0;
        Ok(())
    }

    fn on_event(&mut self, host: &Host, event: &Event) -> Outcome {
        if !self.is_chosen || event.kind() == event_type::PLAYHEAD_SAMPLE {
            return Ok(());
        }
        self.events += 1;
        let state = event.state();
        host.emit(self.record(event.name(), &state).int("state", state.flags as i64))
    }

    fn session_end(&mut self, host: &Host, _reason: u32, _now_us: i64, now: &tally_state) -> Outcome {
        if !self.is_chosen {
            return Ok(());
        }
        // Who counts runs multiplies by this.
        let weight = 10_000.0 / self.share as f64;
        host.emit(self.record("sampled_session", now).int("events", self.events).double("weight", weight))
    }
}

tally::tally_tracker!(Sampler);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        let known = [
            ("", 0xecba_3df2_c338_3c52),
            ("sample-run", 0xf55e_7476_a7eb_a065),
            ("k3v9x0q2m7ab", 0x8120_6069_f759_88e8),
            ("run-77", 0x6d2d_156a_0a58_4c40),
        ];
        for (run, expected) in known {
            assert_eq!(hash(run), expected, "of '{run}'");
        }
    }

    #[test]
    fn one_percent_is_one_percent() {
        let chosen = (0..100_000).filter(|number| is_chosen(&format!("run-{number}"), 100)).count();
        assert!((900..1100).contains(&chosen), "{chosen} of 100000");
    }
}
