//! Builds the plugin and replays the sample archive through it.

use std::process::Command;

#[test]
fn says_what_is_right() {
    // A test links no cdylib, so nothing has built it yet.
    let built = Command::new(env!("CARGO")).arg("build").status().unwrap();
    assert!(built.success(), "see above");
    let status = Command::new("tests/replay.sh").arg("target/debug/lib@SYMBOL@.so").status().unwrap();
    assert!(status.success(), "see above");
}
