//! @NAME@: writes a line to standard output for each record that a tracker made.
//!
//! Read it from its end: entry, descriptor, life cycle, then what it writes.
const std = @import("std");
const c = @import("c");

/// What one instance knows. All calls come on one thread, which may wait for a file or a connection.
const Instance = struct {
    /// What the host calls.
    plugin: c.tally_plugin,
    host: *const c.tally_host,
    answers: c.tally_host_reporter = std.mem.zeroes(c.tally_host_reporter),
    /// Since the last flush.
    taken: u64 = 0,
};

fn of(self: ?*const c.tally_plugin) *Instance {
    return @ptrCast(@alignCast(self.?.plugin_data.?));
}

// ---- what it writes ----

fn slice(text: c.tally_str) []const u8 {
    return if (text.len == 0) "" else text.ptr[0..text.len];
}

fn line(output: *const c.tally_output) !void {
    const from = output.origin.*;
    const record: *const c.tally_record = @ptrCast(@alignCast(output.item.?));
    const kind = slice(c.tally_block_text(record, record.kind_off, record.kind_len));
    var room: [2048]u8 = undefined;
    const text = try std.fmt.bufPrint(&room, "{d} {s} {d} {s} {s}\n", .{
        @divTrunc(from.time_us, 1000), slice(from.player_run_id), from.session, slice(from.instance), kind,
    });
    var rest: []const u8 = text;
    while (rest.len > 0) {
        const written = std.c.write(1, rest.ptr, rest.len);
        if (written <= 0) return error.OutputFailed;
        rest = rest[@intCast(written)..];
    }
}

fn take(self: ?*const c.tally_plugin, items: [*c]const [*c]const c.tally_output, count: u64) callconv(.c) i64 {
    for (0..count) |index| line(items[index]) catch return if (index == 0) c.TALLY_ERR_IO else @intCast(index);
    of(self).taken += count;
    return @intCast(count);
}

fn flush(self: ?*const c.tally_plugin, token: u64, _: c.tally_str, _: u32, _: i64) callconv(.c) void {
    const instance = of(self);
    if (instance.answers.flushed) |flushed| flushed(instance.host, token, instance.taken, 0, 0);
    instance.taken = 0;
}

// ---- life cycle ----

fn init(self: ?*const c.tally_plugin, _: c.tally_str) callconv(.c) c.tally_status {
    const instance = of(self);
    const offered = instance.host.get_extension.?(instance.host, c.TALLY_EXT_HOST_REPORTER);
    c.tally_copy(&instance.answers, @sizeOf(c.tally_host_reporter), offered);
    return c.TALLY_OK;
}

fn enable(_: ?*const c.tally_plugin) callconv(.c) c.tally_status {
    return c.TALLY_OK;
}

fn disable(_: ?*const c.tally_plugin) callconv(.c) void {}

fn destroy(self: ?*const c.tally_plugin) callconv(.c) void {
    std.heap.c_allocator.destroy(of(self));
}

const reporter: c.tally_reporter = .{
    .struct_size = @sizeOf(c.tally_reporter),
    .wants = 1 << c.TALLY_OUTPUT_RECORD,
    .take = take,
    .flush = flush,
};

fn getExtension(_: ?*const c.tally_plugin, id: [*c]const u8) callconv(.c) ?*const anyopaque {
    return if (std.mem.orderZ(u8, id, c.TALLY_EXT_REPORTER) == .eq) &reporter else null;
}

// ---- descriptor and entry ----

const about: c.tally_descriptor = .{
    .struct_size = @sizeOf(c.tally_descriptor),
    .abi_minor = c.TALLY_ABI_MINOR,
    .kind = c.TALLY_KIND_REPORTER,
    .caps = c.TALLY_CAP_STREAMS,
    .id = "@ID@",
    .name = "@NAME@",
    .vendor = "@VENDOR@",
    .version = "0.1.0",
    .config_schema = "{\"type\":\"object\",\"additionalProperties\":false}",
};

fn descriptor(_: ?*const c.tally_entry, index: u32) callconv(.c) ?*const c.tally_descriptor {
    return if (index == 0) &about else null;
}

fn create(
    _: ?*const c.tally_entry,
    host: ?*const c.tally_host,
    id: [*c]const u8,
    _: ?*const c.tally_run_info,
) callconv(.c) ?*const c.tally_plugin {
    if (std.mem.orderZ(u8, id, about.id) != .eq) return null;
    const instance = std.heap.c_allocator.create(Instance) catch return null;
    instance.* = .{ .host = host.?, .plugin = .{
        .struct_size = @sizeOf(c.tally_plugin),
        .plugin_data = instance,
        .init = init,
        .enable = enable,
        .disable = disable,
        .destroy = destroy,
        .get_extension = getExtension,
    } };
    return &instance.plugin;
}

const entry: c.tally_entry = .{
    .struct_size = @sizeOf(c.tally_entry),
    .abi_minor = c.TALLY_ABI_MINOR,
    .count = 1,
    .descriptor = descriptor,
    .create = create,
};

export fn tally_plugin_entry_v1() *const c.tally_entry {
    return &entry;
}
