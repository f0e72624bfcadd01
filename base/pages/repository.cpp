// The statements of pages.
#include "base/pages/repository.hpp"

namespace svc::pages {

std::optional<std::int64_t> booking_of_reference(store::Session& session, std::string_view reference) {
    const std::int64_t id =
        session.number("SELECT id FROM svc_bookings WHERE reference = :reference", {{"reference", reference}});
    return id > 0 ? std::optional(id) : std::nullopt;
}

std::optional<std::int64_t> trip_of_slug(store::Session& session, std::string_view slug) {
    const std::int64_t id =
        session.number("SELECT id FROM svc_trips WHERE slug = :slug AND status <> 'trash'", {{"slug", slug}});
    return id > 0 ? std::optional(id) : std::nullopt;
}

}  // namespace svc::pages
