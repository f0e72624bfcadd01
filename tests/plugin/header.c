/* The plugin header compiles by itself as C11 and C17, C++17 and C++20, and what may never move stands where it did. */
#include "shared/plugin/svc_plugin.h"

#ifdef __cplusplus
#define SVC_CHECK static_assert
#else
#define SVC_CHECK _Static_assert
#endif

SVC_PLUGIN_NOTE(SVC_ABI_MAJOR, SVC_ABI_MINOR);

/* For every major to come. */
SVC_CHECK(offsetof(svc_host, size) == 0 && offsetof(svc_plugin, size) == 0, "size is first");
SVC_CHECK(offsetof(svc_host, abi_major) == 4 && offsetof(svc_plugin, abi_major) == 4, "then the major");
SVC_CHECK(offsetof(svc_host, abi_minor) == 6 && offsetof(svc_plugin, abi_minor) == 6, "then the minor");
SVC_CHECK(sizeof(svc_status) == 4, "a status is 32 bits in every language");
SVC_CHECK(sizeof(svc_cell_kind) == 4, "a cell's kind is 32 bits in every language");
SVC_CHECK(sizeof(svc_plugin_note) == 20, "the note has no padding");

/* A macro of the header in use, in each language. */
int svc_header_test(const svc_plugin* plugin);
int svc_header_test(const svc_plugin* plugin) {
    return SVC_HAS(svc_plugin, plugin, attach) ? (int)plugin->abi_minor : -1;
}
