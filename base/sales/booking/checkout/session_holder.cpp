// The secret of a checkout session in a request.
#include "base/sales/booking/checkout/checkout_parts.hpp"

namespace svc::booking {

using api::Request;

std::string secret_of(const Request& request) {
    for (const std::string_view name : {"X-Svc-Session", "X-Session-Token", "X-Svc-Booking-Token"})
        if (const std::string_view value = request.header(name); !value.empty())
            return std::string(value);
    for (const std::string_view name : {"session_id", "booking_token"})
        for (const json::Value* place : {&request.body, &request.query})
            if (std::string value = place->text_or(name); !value.empty())
                return value;
    return {};
}

std::function<Result<std::optional<OpenSession>>(const Request&)> session_holder(Sessions& sessions,
                                                                                 limits::RateLimits& limits) {
    struct Doors {
        Sessions& sessions;
        limits::RateLimits& limits;
    };
    return [doors = Doors{sessions, limits}](const Request& request) -> Result<std::optional<OpenSession>> {
        if (secret_of(request).empty())
            return std::optional<OpenSession>();
        auto open = with_session<OpenSession>(
            doors, request, [&](const std::string& secret) { return doors.sessions.resume(secret, request.caller); });
        return open ? Result<std::optional<OpenSession>>(std::move(*open)) : open.error();
    };
}

}  // namespace svc::booking
