//! @NAME@: measures how long the viewer waits for data, and counts pauses.
//!
//! Read it from its end: entry, descriptor, life cycle, then what it tracks.
const std = @import("std");
const c = @import("c");

/// What one instance knows. There is one instance per player run, and instances share nothing.
const Instance = struct {
    /// What the host calls.
    plugin: c.tally_plugin,
    host: *const c.tally_host,
    emit: c.tally_emit = std.mem.zeroes(c.tally_emit),
    session: Session = .{},
};

const Session = struct {
    video: [128]u8 = @splat(0),
    pauses: i64 = 0,
    waits: i64 = 0,
    waited_us: i64 = 0,
    waiting_since_us: ?i64 = null,
};

fn of(self: ?*const c.tally_plugin) *Instance {
    return @ptrCast(@alignCast(self.?.plugin_data.?));
}

// ---- what it tracks ----

fn send(instance: *Instance, draft: *c.struct_tally_draft) c.tally_status {
    return instance.emit.record.?(instance.host, c.tally_draft_end(draft), null);
}

fn finishWait(instance: *Instance, now_us: i64, now: *const c.tally_state) c.tally_status {
    const session = &instance.session;
    const since_us = session.waiting_since_us orelse return c.TALLY_OK;
    session.waiting_since_us = null;
    session.waits += 1;
    session.waited_us += now_us - since_us;
    var draft = c.tally_draft_begin("wait");
    c.tally_draft_int(&draft, "waited_ms", @divTrunc(now_us - since_us, 1000));
    if (now.known & c.TALLY_KNOWN_PLAYHEAD != 0) c.tally_draft_int(&draft, "playhead_ms", now.playhead_ms);
    return send(instance, &draft);
}

fn sessionBegin(self: ?*const c.tally_plugin, _: ?*const c.tally_event) callconv(.c) c.tally_status {
    of(self).session = .{};
    return c.TALLY_OK;
}

/// Ignores what it does not know: a newer host may say more.
fn onEvent(self: ?*const c.tally_plugin, event: ?*const c.tally_event) callconv(.c) c.tally_status {
    const instance = of(self);
    const session = &instance.session;
    switch (event.?.type) {
        c.TALLY_EVENT_TYPE_VIDEO_LOAD => {
            const name = c.tally_attr_text(event.?, c.tally_event_find(event.?, c.TALLY_KEY_VIDEO_NAME));
            if (name.len < session.video.len) @memcpy(session.video[0..name.len], name.ptr[0..name.len]);
        },
        c.TALLY_EVENT_TYPE_PAUSE => session.pauses += 1,
        c.TALLY_EVENT_TYPE_BUFFER_START => session.waiting_since_us = session.waiting_since_us orelse event.?.time_us,
        c.TALLY_EVENT_TYPE_BUFFER_COMPLETE => {
            const now = c.tally_event_state(event.?);
            return finishWait(instance, event.?.time_us, &now);
        },
        else => {},
    }
    return c.TALLY_OK;
}

/// It starts no timers.
fn onTimer(_: ?*const c.tally_plugin, _: u64, _: i64, _: ?*const c.tally_state) callconv(.c) void {}

fn sessionEnd(self: ?*const c.tally_plugin, _: u32, now_us: i64, state: ?*const c.tally_state) callconv(.c) void {
    const instance = of(self);
    const session = &instance.session;
    var now: c.tally_state = undefined;
    c.tally_copy(&now, @sizeOf(c.tally_state), state);
    _ = finishWait(instance, now_us, &now);
    var draft = c.tally_draft_begin("summary");
    c.tally_draft_text(&draft, "video", &session.video);
    c.tally_draft_int(&draft, "pauses", session.pauses);
    c.tally_draft_int(&draft, "waits", session.waits);
    c.tally_draft_int(&draft, "waited_ms", @divTrunc(session.waited_us, 1000));
    _ = send(instance, &draft);
}

// ---- life cycle ----

fn init(self: ?*const c.tally_plugin, _: c.tally_str) callconv(.c) c.tally_status {
    const instance = of(self);
    c.tally_copy(&instance.emit, @sizeOf(c.tally_emit), instance.host.get_extension.?(instance.host, c.TALLY_EXT_EMIT));
    return if (instance.emit.record == null) c.TALLY_ERR_UNSUPPORTED else c.TALLY_OK;
}

fn enable(_: ?*const c.tally_plugin) callconv(.c) c.tally_status {
    return c.TALLY_OK;
}

fn disable(_: ?*const c.tally_plugin) callconv(.c) void {}

fn destroy(self: ?*const c.tally_plugin) callconv(.c) void {
    std.heap.c_allocator.destroy(of(self));
}

const tracker: c.tally_tracker = .{
    .struct_size = @sizeOf(c.tally_tracker),
    .session_begin = sessionBegin,
    .on_event = onEvent,
    .on_timer = onTimer,
    .session_end = sessionEnd,
};

fn getExtension(_: ?*const c.tally_plugin, id: [*c]const u8) callconv(.c) ?*const anyopaque {
    return if (std.mem.orderZ(u8, id, c.TALLY_EXT_TRACKER) == .eq) &tracker else null;
}

// ---- descriptor and entry ----

const needed = [_][*c]const u8{ c.TALLY_EXT_EMIT, null };

const about: c.tally_descriptor = .{
    .struct_size = @sizeOf(c.tally_descriptor),
    .abi_minor = c.TALLY_ABI_MINOR,
    .kind = c.TALLY_KIND_TRACKER,
    .caps = c.TALLY_CAP_DETERMINISTIC,
    .id = "@ID@",
    .name = "@NAME@",
    .vendor = "@VENDOR@",
    .version = "0.1.0",
    .config_schema = "{\"type\":\"object\",\"additionalProperties\":false}",
    .requires_extensions = &needed,
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
