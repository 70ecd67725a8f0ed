//! @NAME@: writes a line to standard output for each record that a tracker made.

mod tally {
    include!(env!("TALLY_PLUGIN_RS"));
}

use std::io::{stdout, Write};

use tally::{cap, output, About, Error, Host, Outcome, Output, Reporter};

struct @TYPE@;

impl Reporter for @TYPE@ {
    const ABOUT: About = About::new("@ID@\0", "@NAME@\0", "@VENDOR@\0", "0.1.0\0").caps(cap::STREAMS);
    const WANTS: u32 = 1 << output::RECORD;

    fn new() -> Self {
        @TYPE@
    }

    fn take(&mut self, _: &Host, output: &Output) -> Result<bool, Error> {
        if let Some(record) = output.record() {
            let (time_ms, session) = (output.origin().time_us / 1000, output.origin().session);
            let line = format!("{time_ms} {} {session} {} {}\n", output.run(), output.instance(), record.kind());
            stdout().write_all(line.as_bytes()).map_err(|error| Error::new(error.to_string()))?;
        }
        Ok(true)
    }

    fn flush(&mut self, _: &Host) -> Outcome {
        stdout().flush().map_err(|error| Error::new(error.to_string()))
    }
}

tally::tally_reporter!(@TYPE@);
