// RE2 runs in linear time, so no pattern can make it slow.
#include "base/catalog/attributes/pattern.hpp"

#include <re2/re2.h>

namespace svc::catalog::attributes {
namespace {

RE2::Options options() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(std::int64_t{1} << 20);
    return options;
}

}  // namespace

std::optional<Sentence> fault_of_pattern(const std::string& pattern) {
    const RE2 read(pattern, options());
    if (read.ok())
        return std::nullopt;
    return "Invalid pattern: {fault}."_sentence.with("fault", read.error());
}

bool matches(const std::string& pattern, std::string_view text) {
    const RE2 read(pattern, options());
    return read.ok() && RE2::FullMatch(re2::StringPiece(text.data(), text.size()), read);
}

}  // namespace svc::catalog::attributes
