// The part of GStreamer that the playback engine speaks to: elements, the bus, structures, caps and tags.
#include <gst/gst.h>
