// A plugin library whose static object throws while the library is loaded.
#include <cstdlib>
#include <stdexcept>

#include "shared/plugin/svc_plugin.h"

SVC_PLUGIN_NOTE(SVC_ABI_MAJOR, 0);

namespace {

struct Throws {
    Throws() {
        setenv("SVC_TEST_LIBRARY_RAN", "throwing_init", 1);
        throw std::runtime_error("init");
    }
} throws;

}  // namespace

extern "C" __attribute__((visibility("default"))) const svc_plugin* svc_plugin_entry(void);
const svc_plugin* svc_plugin_entry(void) { return nullptr; }
