#include "page_files.h"

static const unsigned char chart[] = {
#embed "/usr/share/javascript/chart.js/chart.min.js"
};
static const unsigned char style[] = {
#embed "../Web/style.css"
};
static const unsigned char elements[] = {
#embed "../Web/elements.js"
};
static const unsigned char format[] = {
#embed "../Web/format.js"
};
static const unsigned char data[] = {
#embed "../Web/data.js"
};
static const unsigned char charts[] = {
#embed "../Web/charts.js"
};
static const unsigned char running[] = {
#embed "../Web/running.js"
};
static const unsigned char overview[] = {
#embed "../Web/overview.js"
};
static const unsigned char assets[] = {
#embed "../Web/assets.js"
};
static const unsigned char quality[] = {
#embed "../Web/quality.js"
};
static const unsigned char sessions[] = {
#embed "../Web/sessions.js"
};
static const unsigned char lanes[] = {
#embed "../Web/lanes.js"
};
static const unsigned char session[] = {
#embed "../Web/session.js"
};
static const unsigned char comparison[] = {
#embed "../Web/comparison.js"
};
static const unsigned char plugins[] = {
#embed "../Web/plugins.js"
};
static const unsigned char pages[] = {
#embed "../Web/pages.js"
};

static const tally_page_file files[] = {
    {"chart.min.js", chart, sizeof chart},       {"style.css", style, sizeof style},
    {"elements.js", elements, sizeof elements},  {"format.js", format, sizeof format},
    {"data.js", data, sizeof data},              {"charts.js", charts, sizeof charts},
    {"running.js", running, sizeof running},     {"overview.js", overview, sizeof overview},
    {"assets.js", assets, sizeof assets},
    {"quality.js", quality, sizeof quality},     {"sessions.js", sessions, sizeof sessions},
    {"lanes.js", lanes, sizeof lanes},           {"session.js", session, sizeof session},
    {"comparison.js", comparison, sizeof comparison},
    {"plugins.js", plugins, sizeof plugins},     {"pages.js", pages, sizeof pages},
};

const tally_page_file *tally_page_file_at(size_t place) {
  return place < sizeof files / sizeof *files ? &files[place] : NULL;
}
