// The statements of pages.
#include "base/website/pages/repository.hpp"

#include "shared/store/read_rows.hpp"

namespace svc::pages {
namespace {

std::set<std::int64_t> those(store::Session& session, const store::ByIds& statement,
                             std::span<const std::int64_t> bookings) {
    std::set<std::int64_t> found;
    if (!bookings.empty())
        store::each_row_of(session, statement, bookings, [&](std::int64_t id) { found.insert(id); });
    return found;
}

}  // namespace

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

std::set<std::int64_t> expired_among(store::Session& session, std::span<const std::int64_t> bookings) {
    return those(session, SVC_BY_IDS("SELECT id FROM svc_bookings WHERE cancelled_via = 'expiry' AND", "id", ""),
                 bookings);
}

std::set<std::int64_t> offered_among(store::Session& session, std::span<const std::int64_t> bookings) {
    return those(session,
                 SVC_BY_IDS("SELECT w.booking_id FROM svc_waitlist w WHERE w.outcome = 'promoted' AND w.id ="
                            " (SELECT MAX(l.id) FROM svc_waitlist l WHERE l.booking_id = w.booking_id) AND",
                            "w.booking_id", ""),
                 bookings);
}

}  // namespace svc::pages
