//! Finds the wrapper that is installed with Tally's plugin headers.

use std::process::Command;

fn main() {
    let found = Command::new("pkg-config").args(["--variable=rust", "tally-plugin"]).output();
    let path = found.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let path = path.and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
    let path = path.trim();
    if path.is_empty() {
        panic!("pkg-config does not find tally-plugin: install tally-plugin-dev, or set PKG_CONFIG_PATH");
    }
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-changed={path}");
    println!("cargo:rustc-env=TALLY_PLUGIN_RS={path}");
}
