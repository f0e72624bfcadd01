/* A plugin library for the loader's tests; macros make each of the bad ones. */
#include <stdlib.h>
#include <unistd.h>

#include "shared/plugin/svc_plugin.h"

#ifdef NOTE_MAJOR
SVC_PLUGIN_NOTE(NOTE_MAJOR, NOTE_MINOR);
#endif

#ifdef UNRESOLVED
extern int svc_symbol_that_nobody_has(void);
int use_it(void);
int use_it(void) { return svc_symbol_that_nobody_has(); }
#endif

/* Seen by the test when code of this library runs in its process. */
__attribute__((constructor)) static void ran(void) {
    setenv("SVC_TEST_LIBRARY_RAN", LIBRARY_NAME, 1);
#ifdef EXITS
    _exit(0);
#endif
#ifdef ABORTS
    abort();
#endif
}

#ifdef ENTRY
__attribute__((visibility("default"))) const svc_plugin* svc_plugin_entry(void);
static svc_status attach(const svc_host* host, void** self, svc_answer* why_not) {
    (void)host;
    (void)why_not;
    *self = NULL;
    return SVC_OK;
}
static void detach(void* self) { (void)self; }
const svc_plugin* svc_plugin_entry(void) {
    static const svc_plugin table = {sizeof(svc_plugin), SVC_ABI_MAJOR, 0,     {LIBRARY_NAME, sizeof(LIBRARY_NAME) - 1},
                                     {"1", 1},           attach,        detach};
    return &table;
}
#endif
