// Calls libmagic, whose state may only be used by one thread at a time.
#include "base/platform/files/content_type.hpp"

#include <magic.h>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace svc::files {
namespace {

struct Close {
    void operator()(magic_set* cookie) const { magic_close(cookie); }
};

}  // namespace

std::string content_type(std::string_view bytes) {
    static std::mutex mutex;
    static std::unique_ptr<magic_set, Close> cookie;
    const std::lock_guard lock(mutex);
    if (!cookie) {
        std::unique_ptr<magic_set, Close> fresh(magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS));
        if (!fresh || magic_load(fresh.get(), nullptr) != 0)
            throw std::runtime_error("the list of file types of libmagic cannot be read");
        cookie = std::move(fresh);
    }
    const char* found = magic_buffer(cookie.get(), bytes.data(), bytes.size());
    return found ? found : "application/octet-stream";
}

}  // namespace svc::files
