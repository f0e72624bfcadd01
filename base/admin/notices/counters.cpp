// Counts by the indexes on created_at.
#include "base/admin/notices/counters.hpp"

#include <map>

#include "base/admin/notices/hooks.hpp"
#include "base/feature/facts.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::notices {
namespace {

constexpr int unseen_days = 30;

}  // namespace

std::vector<Section> own_sections() {
    std::vector<Section> sections;
    for (const facts::Table& table : facts::of_base().tables())
        for (const facts::Noticed& noticed : table.noticed)
            sections.push_back({noticed.section, noticed.capability, [&](store::Session& session, Instant since) {
                                    return facts::Facts::count_since(session, table, noticed, since);
                                }});
    return sections;
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
