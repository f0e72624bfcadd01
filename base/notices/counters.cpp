// Counts by the indexes on created_at.
#include "base/notices/counters.hpp"

#include <map>

#include "base/notices/hooks.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::notices {
namespace {

constexpr int unseen_days = 30;

std::int64_t fresh_bookings(store::Session& session, Instant since) {
    return session.number("SELECT COUNT(*) FROM svc_bookings WHERE created_at > :since AND status <> 'trash'",
                          {{"since", since}});
}
std::int64_t fresh_payments(store::Session& session, Instant since) {
    return session.number("SELECT COUNT(*) FROM svc_payments WHERE created_at > :since", {{"since", since}});
}
std::int64_t fresh_enquiries(store::Session& session, Instant since) {
    return session.number(
        "SELECT COUNT(*) FROM svc_enquiries WHERE created_at > :since AND status <> 'trash' AND status <> 'spam'",
        {{"since", since}});
}

std::int64_t fresh_reviews(store::Session& session, Instant since) {
    return session.number(
        "SELECT COUNT(*) FROM svc_reviews WHERE created_at > :since AND status <> 'trash' AND status <> 'spam'",
        {{"since", since}});
}

}  // namespace

std::vector<Section> own_sections() {
    return {{"bookings", "svc_view_bookings", fresh_bookings},
            {"payments", "svc_view_bookings", fresh_payments},
            {"enquiries", "svc_view_enquiries", fresh_enquiries},
            {"reviews", "svc_view_reviews", fresh_reviews}};
}

json::Value Counters::of(const api::Caller& caller) const {
    auto counts = json::Value::object();
    const Instant otherwise = site_.clock.now().minus(std::chrono::hours(24 * unseen_days));
    site_.store.read([&](store::Session& session) {
        std::map<std::string, Instant> seen;
        store::each_row(session, "SELECT section, seen_at FROM svc_seen_markers WHERE user_id = :user",
                        {{"user", caller.user_id}},
                        [&](const std::string& section, Instant at) { seen[section] = at; });
        for (const Section& section : sections_) {
            const auto found = seen.find(section.name);
            counts.set(section.name, caller.can(section.capability)
                                         ? section.count(session, found == seen.end() ? otherwise : found->second)
                                         : 0);
        }
    });
    return counts;
}

Result<void> Counters::mark(const api::Caller& caller, const std::string& section) const {
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        tx.run(
            "INSERT INTO svc_seen_markers (user_id, section, seen_at) VALUES (:user, :section, :now)"
            " ON CONFLICT (user_id, section) DO UPDATE SET seen_at = excluded.seen_at",
            {{"user", caller.user_id}, {"section", section}, {"now", site_.clock.now()}});
        site_.hooks.emit(tx, section_seen, {caller.user_id, section});
        return {};
    });
}

}  // namespace svc::notices
