// The part of libxml2 that ad documents and DASH manifests are read with: a tree from memory.
#include <libxml/parser.h>
#include <libxml/tree.h>
