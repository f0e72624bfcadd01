// What documents ask of the parts around them.
#include "base/app/assembled_documents.hpp"

#include "base/app/assembly.hpp"
#include "base/platform/outbound/fetch.hpp"

namespace svc::app {

documents::Fetch picture_fetch(const BaseOptions& options) {
    return [allowed = outbound::Allowed(options.allowed_private_hosts)](const std::string& url) -> Result<std::string> {
        auto answer = outbound::fetch(
            {.url = url, .timeout = std::chrono::seconds(5), .most_bytes = std::size_t{4} << 20, .redirects = 3},
            allowed);
        if (!answer)
            return answer.error();
        if (answer->status != 200)
            return Error{errc::upstream_error, "The picture does not exist."};
        return std::move(answer->body);
    };
}

std::function<std::string(const std::string&, const json::Value&)> offline_instructions(Assembly& parts) {
    return [&parts](const std::string& gateway, const json::Value& booking) -> std::string {
        const auto offered = parts.payments.offered(gateway, Money::zero(parts.settings.currency()));
        if (!offered || !offered->gateway->info().is_offline)
            return {};
        return parts.payments.instructions(*offered, booking);
    };
}

documents::Service::Parts documents_parts(Assembly& parts) {
    return {.store = *parts.store,
            .hooks = parts.hooks,
            .settings = parts.settings,
            .bookings = parts.bookings,
            .payments = parts.payments,
            .trips = parts.trips,
            .availability = parts.availability,
            .logos = parts.logos,
            .keyring = *parts.keyring,
            .clock = parts.clock,
            .instructions = offline_instructions(parts)};
}

}  // namespace svc::app
