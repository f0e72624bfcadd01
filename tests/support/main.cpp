// The entry point of every test binary.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#ifdef __SANITIZE_ADDRESS__
// fontconfig never gives back some bytes of the configuration it read, once a process. Hidden, the sanitizer's library
// would not find it.
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions() {  // NOLINT: its name is given
    return "leak:libfontconfig\n";
}
#endif
