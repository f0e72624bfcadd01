// Asks the base for its abilities once, and for its settings at each call.
#include "pro/common/site.hpp"

namespace svc::pro {

Site::Site(plugin::Host& base, const Clock& tick)
    : host(base),
      clock(tick),
      store(base.need<plugin::Store>()),
      hooks(base.hooks()),
      settings(base.need<plugin::Settings>()),
      modules(base.need<plugin::Modules>()),
      routes(base.need<plugin::Routes>()),
      secrets(base.need<plugin::Secrets>()),
      jobs(base.find<plugin::Jobs>()),
      pages(base.find<plugin::Pages>()),
      mails(base.find<plugin::Mails>()),
      changes(base.find<plugin::Changes>()),
      charges(base.find<plugin::BookingCharges>()),
      log(base.find<plugin::Log>()),
      features(base.make<Features>()) {}

Currency Site::currency() const { return Currency::parse(settings.text("currency")).value(); }

Zone Site::zone() const {
    const auto zone = Zone::named(settings.text("timezone"));
    return zone ? *zone : Zone::utc();
}

Look Site::look() const {
    return {.date_format = settings.text("date_format"),
            .decimal_separator = settings.text("decimal_separator"),
            .thousand_separator = settings.text("thousand_separator"),
            .currency_behind = settings.text("currency_position").starts_with("right"),
            .whole_without_decimals = settings.get("currency_decimals") == json::Value(0)};
}

void Site::require(std::string_view hook, const Result<void>& subscribed) const {
    if (!subscribed)
        throw plugin::Refused("The base takes no listener for " + std::string(hook) + ".");
}

bool Site::listen_if_known(std::string_view action, hooks::Listener listener, hooks::ActionCall call) const {
    if (!hooks.knows(action))
        return false;
    require(action, hooks.on(action, std::move(listener), std::move(call)));
    return true;
}

bool Site::filter_if_known(std::string_view filter, hooks::Listener listener, hooks::FilterCall call) const {
    if (!hooks.knows(filter))
        return false;
    require(filter, hooks.filter(filter, std::move(listener), std::move(call)));
    return true;
}

}  // namespace svc::pro
