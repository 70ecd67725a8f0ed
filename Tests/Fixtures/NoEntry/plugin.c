/* A shared library that is no plugin: it has no entry. The loader must say so and name the symbol it looked for. */
int tally_fixture_without_entry(void);

int tally_fixture_without_entry(void) { return 42; }
