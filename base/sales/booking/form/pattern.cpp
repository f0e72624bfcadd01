// A pattern is compiled once.
#include "base/sales/booking/form/pattern.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <re2/re2.h>

namespace svc::booking::form {
namespace {

constexpr std::size_t most_remembered = 200;
constexpr std::int64_t most_memory = 1 << 20;

std::shared_ptr<const RE2> made(const std::string& pattern) {
    RE2::Options options;
    options.set_max_mem(most_memory);
    options.set_log_errors(false);
    return std::make_shared<const RE2>(pattern, options);
}

}  // namespace

bool is_pattern(const std::string& pattern) { return pattern.size() <= longest_pattern && made(pattern)->ok(); }

bool fits_pattern(const std::string& pattern, const std::string& answer) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const RE2>> remembered;
    std::shared_ptr<const RE2> found;
    {
        const std::lock_guard lock(mutex);
        if (remembered.size() >= most_remembered)
            remembered.clear();
        auto& known = remembered[pattern];
        if (!known)
            known = made(pattern);
        found = known;
    }
    return !found->ok() || RE2::FullMatch(answer, *found);
}

}  // namespace svc::booking::form
