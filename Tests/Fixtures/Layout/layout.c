/* The layout of version 1 as the C compiler sees it. Numbers that are here never change; an addition in a minor version
 * adds a line and changes the size. AbiLayoutTests says the same of the layout as Swift sees it. */
#include "tally_plugin.h"

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), "size of " #type)
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)

_Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "version 1 is laid out for 64-bit systems");
_Static_assert(_Alignof(tally_event) == 8 && _Alignof(tally_state) == 8 && _Alignof(tally_attr) == 8, "alignment");

/* tally_base.h */
SIZE(tally_str, 16);
AT(tally_str, ptr, 0);
AT(tally_str, len, 8);

/* tally_block.h */
SIZE(tally_attr, 24);
AT(tally_attr, key_off, 0);
AT(tally_attr, key_len, 4);
AT(tally_attr, key_id, 6);
AT(tally_attr, type, 8);
AT(tally_attr, flags, 9);
AT(tally_attr, reserved0, 10);
AT(tally_attr, len, 12);
AT(tally_attr, v, 16);
AT(tally_attr, v.i, 16);
AT(tally_attr, v.d, 16);
AT(tally_attr, v.off, 16);

SIZE(tally_state, 120);
AT(tally_state, struct_size, 0);
AT(tally_state, known, 4);
AT(tally_state, flags, 8);
AT(tally_state, rate_milli, 12);
AT(tally_state, playhead_ms, 16);
AT(tally_state, reported_playhead_ms, 24);
AT(tally_state, reported_age_us, 32);
AT(tally_state, ad_playhead_ms, 40);
AT(tally_state, live_wall_ms, 48);
AT(tally_state, duration_ms, 56);
AT(tally_state, bitrate_bps, 64);
AT(tally_state, throughput_bps, 72);
AT(tally_state, dropped_frames, 80);
AT(tally_state, rendered_frames, 88);
AT(tally_state, fps_milli, 96);
AT(tally_state, width, 100);
AT(tally_state, height, 104);
AT(tally_state, volume_milli, 108);
AT(tally_state, player_width, 112);
AT(tally_state, player_height, 116);

SIZE(tally_event, 56);
AT(tally_event, size, 0);
AT(tally_event, header_size, 4);
AT(tally_event, type, 8);
AT(tally_event, flags, 12);
AT(tally_event, time_us, 16);
AT(tally_event, ordinal, 24);
AT(tally_event, session, 32);
AT(tally_event, type_name_off, 36);
AT(tally_event, type_name_len, 40);
AT(tally_event, state_off, 44);
AT(tally_event, attr_off, 48);
AT(tally_event, attr_count, 52);

SIZE(tally_record, 32);
AT(tally_record, size, 0);
AT(tally_record, header_size, 4);
AT(tally_record, flags, 8);
AT(tally_record, kind_off, 12);
AT(tally_record, kind_len, 16);
AT(tally_record, attr_off, 20);
AT(tally_record, attr_count, 24);
AT(tally_record, reserved0, 28);

/* tally_output.h */
SIZE(tally_patch, 24);
AT(tally_patch, part, 0);
AT(tally_patch, kind, 4);
AT(tally_patch, off, 8);
AT(tally_patch, width, 16);

SIZE(tally_header, 32);
AT(tally_header, name, 0);
AT(tally_header, value, 16);

SIZE(tally_beacon, 144);
AT(tally_beacon, struct_size, 0);
AT(tally_beacon, flags, 4);
AT(tally_beacon, destination, 8);
AT(tally_beacon, method, 24);
AT(tally_beacon, url, 40);
AT(tally_beacon, body, 56);
AT(tally_beacon, headers, 72);
AT(tally_beacon, header_count, 80);
AT(tally_beacon, credential, 88);
AT(tally_beacon, patches, 104);
AT(tally_beacon, patch_count, 112);
AT(tally_beacon, records, 120);
AT(tally_beacon, record_count, 128);
AT(tally_beacon, max_age_s, 136);

/* tally_plugin.h */
SIZE(tally_host, 40);
AT(tally_host, struct_size, 0);
AT(tally_host, abi_minor, 4);
AT(tally_host, host_data, 8);
AT(tally_host, log, 16);
AT(tally_host, set_error, 24);
AT(tally_host, get_extension, 32);

SIZE(tally_plugin, 56);
AT(tally_plugin, struct_size, 0);
AT(tally_plugin, reserved0, 4);
AT(tally_plugin, plugin_data, 8);
AT(tally_plugin, init, 16);
AT(tally_plugin, enable, 24);
AT(tally_plugin, disable, 32);
AT(tally_plugin, destroy, 40);
AT(tally_plugin, get_extension, 48);

SIZE(tally_descriptor, 112);
AT(tally_descriptor, struct_size, 0);
AT(tally_descriptor, abi_minor, 4);
AT(tally_descriptor, kind, 8);
AT(tally_descriptor, caps, 12);
AT(tally_descriptor, id, 16);
AT(tally_descriptor, name, 24);
AT(tally_descriptor, vendor, 32);
AT(tally_descriptor, version, 40);
AT(tally_descriptor, config_schema, 48);
AT(tally_descriptor, requires_extensions, 56);
AT(tally_descriptor, shared_config, 64);
AT(tally_descriptor, store_keys, 72);
AT(tally_descriptor, build, 80);
AT(tally_descriptor, wanted_events, 88);
AT(tally_descriptor, read_paths, 96);
AT(tally_descriptor, written_paths, 104);

SIZE(tally_run_info, 56);
AT(tally_run_info, struct_size, 0);
AT(tally_run_info, semantics, 4);
AT(tally_run_info, player_run_id, 8);
AT(tally_run_info, instance, 24);
AT(tally_run_info, epoch_us, 40);
AT(tally_run_info, stored, 48);

SIZE(tally_entry, 40);
AT(tally_entry, struct_size, 0);
AT(tally_entry, abi_minor, 4);
AT(tally_entry, count, 8);
AT(tally_entry, reserved0, 12);
AT(tally_entry, entry_data, 16);
AT(tally_entry, descriptor, 24);
AT(tally_entry, create, 32);

/* tally_tracker.h */
SIZE(tally_tracker, 40);
AT(tally_tracker, struct_size, 0);
AT(tally_tracker, reserved0, 4);
AT(tally_tracker, session_begin, 8);
AT(tally_tracker, on_event, 16);
AT(tally_tracker, on_timer, 24);
AT(tally_tracker, session_end, 32);

SIZE(tally_emit, 32);
AT(tally_emit, struct_size, 0);
AT(tally_emit, reserved0, 4);
AT(tally_emit, record, 8);
AT(tally_emit, beacon, 16);
AT(tally_emit, player_error, 24);

SIZE(tally_timer, 24);
AT(tally_timer, struct_size, 0);
AT(tally_timer, reserved0, 4);
AT(tally_timer, start, 8);
AT(tally_timer, cancel, 16);

SIZE(tally_random, 16);
AT(tally_random, struct_size, 0);
AT(tally_random, reserved0, 4);
AT(tally_random, next_u64, 8);

SIZE(tally_store, 16);
AT(tally_store, struct_size, 0);
AT(tally_store, reserved0, 4);
AT(tally_store, put, 8);

/* tally_reporter.h */
SIZE(tally_origin, 112);
AT(tally_origin, struct_size, 0);
AT(tally_origin, session, 4);
AT(tally_origin, player_run_id, 8);
AT(tally_origin, plugin_id, 24);
AT(tally_origin, plugin_version, 40);
AT(tally_origin, instance, 56);
AT(tally_origin, ordinal, 72);
AT(tally_origin, time_us, 80);
AT(tally_origin, epoch_us, 88);
AT(tally_origin, video_id, 96);

SIZE(tally_output, 24);
AT(tally_output, struct_size, 0);
AT(tally_output, what, 4);
AT(tally_output, origin, 8);
AT(tally_output, item, 16);

SIZE(tally_reporter, 24);
AT(tally_reporter, struct_size, 0);
AT(tally_reporter, wants, 4);
AT(tally_reporter, take, 8);
AT(tally_reporter, flush, 16);

SIZE(tally_host_reporter, 24);
AT(tally_host_reporter, struct_size, 0);
AT(tally_host_reporter, flags, 4);
AT(tally_host_reporter, ready, 8);
AT(tally_host_reporter, flushed, 16);

SIZE(tally_host_status, 16);
AT(tally_host_status, struct_size, 0);
AT(tally_host_status, reserved0, 4);
AT(tally_host_status, write, 8);

/* tally_control.h */
SIZE(tally_sink, 16);
AT(tally_sink, ctx, 0);
AT(tally_sink, write, 8);

SIZE(tally_configure, 16);
AT(tally_configure, struct_size, 0);
AT(tally_configure, reserved0, 4);
AT(tally_configure, configure, 8);

SIZE(tally_command, 24);
AT(tally_command, struct_size, 0);
AT(tally_command, reserved0, 4);
AT(tally_command, run, 8);
AT(tally_command, list, 16);

