#!/usr/bin/env python3
"""Holds the structures of the wrapper in Rust against those of the C headers. See --help."""
import re
import subprocess
import sys
import tempfile

USAGE = """usage: Tests/LanguageTests/check_layouts.py INCLUDE

Compiles a program in Rust with INCLUDE/tally_plugin.rs and one in C with the headers there, which print the size of
each structure and of each member, and where that lies, and compares what they say.
Exit codes: 0 the same, 1 a difference, 64 wrong arguments, 69 a compiler is missing or fails.
"""


def run(*command):
    """What the command prints; it has to succeed."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError:
        print(f"check_layouts: there is no {command[0]}: install it", file=sys.stderr)
    except subprocess.CalledProcessError as failure:
        print(f"check_layouts: {command[0]} fails:\n{failure.stderr}", file=sys.stderr)
    sys.exit(69)


def structures(path):
    """The structures of the wrapper's module abi with their members, as C names them."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("pub mod abi {", 1)[1].split("\n}\n", 1)[0]
    found = {}
    for name, body in re.findall(r"pub struct (\w+) \{\n(.*?)\n    \}", text, re.DOTALL):
        found[name] = re.findall(r"^        pub (?:r#)?(\w+):", body, re.MULTILINE)
    return found


def in_c(found):
    """A program in C that prints the layouts."""
    lines = ['#include <stdio.h>', '#include "tally_plugin.h"', "int main(void) {"]
    for name, members in found.items():
        lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
        for member in members:
            size = f"sizeof((({name} *)0)->{member})"
            lines.append(f'  printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), {size});')
    return "\n".join([*lines, "  return 0;", "}", ""])


def in_rust(found, wrapper):
    """The same in Rust."""
    lines = [f'mod tally {{ #![allow(dead_code)] include!("{wrapper}"); }}']
    lines += ["fn size<T>(_: *const T) -> usize { std::mem::size_of::<T>() }", "fn main() {"]
    for name, members in found.items():
        kind = f"tally::abi::{name}"
        lines.append(f'    println!("{name} {{}}", std::mem::size_of::<{kind}>());')
        for member in members:
            field = "r#type" if member == "type" else member
            lines.append(
                f"    {{ let value = std::mem::MaybeUninit::<{kind}>::uninit(); let base = value.as_ptr();"
                f" let at = unsafe {{ std::ptr::addr_of!((*base).{field}) }};"
                f' println!("{name}.{member} {{}} {{}}", at as usize - base as usize, size(at)); }}'
            )
    return "\n".join([*lines, "}", ""])


def main(arguments):
    if arguments in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("check_layouts: one folder is needed; see --help", file=sys.stderr)
        return 64
    wrapper = f"{arguments[0]}/tally_plugin.rs"
    found = structures(wrapper)
    if len(found) < 15:
        print(f"check_layouts: only {len(found)} structures were found in {wrapper}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as work:
        for name, text in (("layout.c", in_c(found)), ("layout.rs", in_rust(found, wrapper))):
            with open(f"{work}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        run("cc", "-std=c11", "-I", arguments[0], f"{work}/layout.c", "-o", f"{work}/in_c")
        run("rustc", "--edition", "2021", f"{work}/layout.rs", "-o", f"{work}/in_rust")
        c, rust = run(f"{work}/in_c").splitlines(), run(f"{work}/in_rust").splitlines()
    for left, right in zip(c, rust):
        if left != right:
            print(f"check_layouts: the headers have {left}, the wrapper in Rust has {right}", file=sys.stderr)
    if c == rust:
        print(f"languages: {len(found)} structures and {len(c) - len(found)} members in Rust lie as in C")
    return 0 if c == rust else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
