// The part of libavformat that the chapters of MP4 files are read with: containers and their metadata.
#include <libavformat/avformat.h>
