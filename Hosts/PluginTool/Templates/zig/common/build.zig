//! zig build: zig-out/@SLUG@.tallyplugin.so. zig build test: replays the sample archive through it.
const std = @import("std");

pub fn build(b: *std.Build) void {
    const target = b.standardTargetOptions(.{});
    const optimize = b.standardOptimizeOption(.{});
    // The headers that are installed with Tally.
    const include = std.mem.trim(u8, b.run(&.{ "pkg-config", "--variable=includedir", "tally-plugin" }), " \n");

    const headers = b.addTranslateC(.{
        .root_source_file = .{ .cwd_relative = b.pathJoin(&.{ include, "tally_blocks.h" }) },
        .target = target,
        .optimize = optimize,
        .link_libc = true,
    });
    headers.addIncludePath(.{ .cwd_relative = include });

    const library = b.addLibrary(.{
        .name = "@SYMBOL@",
        .linkage = .dynamic,
        .root_module = b.createModule(.{
            .root_source_file = b.path("src/plugin.zig"),
            .target = target,
            .optimize = optimize,
            .link_libc = true,
            .imports = &.{.{ .name = "c", .module = headers.createModule() }},
        }),
    });
    const install = b.addInstallFile(library.getEmittedBin(), "@SLUG@.tallyplugin.so");
    b.getInstallStep().dependOn(&install.step);

    const replay = b.addSystemCommand(&.{"tests/replay.sh"});
    replay.addFileArg(library.getEmittedBin());
    replay.has_side_effects = true;
    b.step("test", "Replay the sample archive through the plugin").dependOn(&replay.step);
}
