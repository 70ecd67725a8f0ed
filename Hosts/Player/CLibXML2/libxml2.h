// The part of libxml2 that the ad documents are read with: a tree from memory.
#include <libxml/parser.h>
#include <libxml/tree.h>
