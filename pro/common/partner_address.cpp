// Asks the base's filter.
#include "pro/common/partner_address.hpp"

namespace svc::pro {
namespace {

// As the base declares it.
const hooks::Filter address{"svc_partner_address", "", json::Kind::string, {"partner"}};

}  // namespace

std::string partner_address(const Site& site, std::string_view partner, std::string_view own) {
    if (!site.hooks.knows(address.name))
        return std::string(own);
    const json::Value given = site.hooks.apply(address, "", {json::Value(partner)});
    return given.is_string() && !given.text().empty() ? given.text() : std::string(own);
}

}  // namespace svc::pro
