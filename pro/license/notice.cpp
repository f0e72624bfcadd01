// One notice at most, by the licence's terms.
#include "pro/license/notice.hpp"

namespace svc::pro::license {
namespace {

using std::chrono::hours;

constexpr int days_before = 30;

json::Value notice_of(const char* type, const char* title, std::string message, Instant since) {
    return json::Value::object(
        {{"id", "license_expiring"},
         {"type", type},
         {"title", title},
         {"message", std::move(message)},
         {"actions", json::Value::array({json::Value::object({{"label", "Licence"}, {"url", "/license"}})})},
         {"since", since},
         {"dismissible", true}});
}

}  // namespace

json::Value with_notice(const License& license, const json::Value& notices, Instant now) {
    json::Value all = notices;
    const auto ends = license.terms.expires_at;
    if (license.key.empty() || license.terms.is_lifetime || !ends || !all.is_array())
        return all;
    const Instant warns = ends->minus(hours(24 * days_before));
    if (*ends <= now)
        all.push(notice_of("error", "The licence has ended",
                           "Modules that are on keep working; none can be turned on. Renew the licence and check it.",
                           *ends));
    else if (warns <= now)
        all.push(notice_of(
            "warning", "The licence ends soon",
            "The licence ends on " + ends->text().substr(0, 10) + ". Renew it to keep turning on modules.", warns));
    return all;
}

}  // namespace svc::pro::license
