// svc.housekeeping/1: old rows of a plugin, deleted with the base's own.
#include <algorithm>

#include "base/plugins/collect.hpp"
#include "base/plugins/outside.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::text_of;

constexpr std::int64_t longest_days = 36'500;

svc_status add(void* self, svc_text text) noexcept {
    return collect(self, "piece of housekeeping", [&](Registration& r) {
        const auto value = plugin::read_json(text);
        OldRows rows{.name = "plugin:" + r.guest->name() + ":" + own_word(text_of(value, "name")),
                     .sql = text_of(value, "sql"),
                     .days = value.maybe_integer("days").value_or(0),
                     .days_setting = value.text_or("days_setting"),
                     .module = value.text_or("module")};
        if (!rows.sql.starts_with("DELETE FROM ") || rows.sql.find(":before") == std::string::npos ||
            rows.sql.find(":most") == std::string::npos)
            throw Malformed("\"sql\" is a DELETE with :before and :most.");
        if (rows.days < 0 || rows.days > longest_days || (rows.days == 0) == rows.days_setting.empty())
            throw Malformed("Either \"days\" is 1 to 36500, or \"days_setting\" names a setting.");
        if (std::any_of(r.old_rows.begin(), r.old_rows.end(),
                        [&](const OldRows& other) { return other.name == rows.name; }))
            throw Malformed("The name " + rows.name + " is taken.");
        r.old_rows.push_back(std::move(rows));
    });
}

std::int64_t days_of(const settings::Settings& settings, const OldRows& rows) {
    if (rows.days_setting.empty())
        return rows.days;
    const auto value = settings.get(rows.days_setting);
    return value.is_number() ? std::clamp<std::int64_t>(value.integer(), 0, longest_days) : 0;
}

}  // namespace

void keep_house(Registration& r) {
    for (const OldRows& rows : r.old_rows)
        r.services.add_old_rows(rows.name, [&r, rows](store::Transaction& tx, Instant now, int most) -> std::int64_t {
            if (!rows.module.empty() && !r.services.modules.enabled(rows.module))
                return 0;  // its tables may not exist
            const auto days = days_of(r.services.settings, rows);
            return days > 0 ? tx.run(rows.sql, {{"before", now.plus(-std::chrono::hours(24) * days)}, {"most", most}})
                            : 0;
        });
}

svc_housekeeping_1 housekeeping_table_of(Registration& r) { return {sizeof(svc_housekeeping_1), &r, &add}; }

}  // namespace svc::plugins
