// Gathers notices, without dismissed ones.
#include "base/admin/notices/notices.hpp"

#include <algorithm>
#include <map>

#include "base/admin/notices/hooks.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::notices {
namespace {

using json::Value;

constexpr std::size_t most_notices = 50;
constexpr std::string_view notice_types[] = {"error", "warning", "info"};

std::string text_in(const Value& object, std::string_view name, std::string_view fallback = {}) {
    const Value* found = object.find(name);
    return std::string(found && found->is_string() ? std::string_view(found->text()) : fallback);
}

// Accepts a listener's entry if it is a valid notice.
std::optional<Notice> of_value(const Value& value) {
    Notice notice{.key = text_in(value, "id"),
                  .type = text_in(value, "type", "info"),
                  .title = text_in(value, "title"),
                  .message = text_in(value, "message")};
    const bool known =
        std::find(std::begin(notice_types), std::end(notice_types), notice.type) != std::end(notice_types);
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    };
    if (!known || notice.key.empty() || !std::all_of(notice.key.begin(), notice.key.end(), is_plain))
        return std::nullopt;
    notice.since = Instant::parse(text_in(value, "since")).value_or(Instant{});
    if (const Value* may = value.find("dismissible"); may && may->is_boolean())
        notice.dismissible = may->boolean();
    if (const Value* actions = value.find("actions"); actions && actions->is_array())
        for (const Value& action : actions->items())
            if (!text_in(action, "label").empty())
                notice.actions.push_back({text_in(action, "label"), text_in(action, "url")});
    return notice;
}

std::size_t rank_of(const Notice& notice) {
    return static_cast<std::size_t>(std::find(std::begin(notice_types), std::end(notice_types), notice.type) -
                                    std::begin(notice_types));
}

}  // namespace

Value to_json(const Notice& notice) {
    auto actions = Value::array();
    for (const Action& action : notice.actions)
        actions.push(Value::object({{"label", action.label}, {"url", action.url}}));
    return Value::object({{"id", notice.key},
                          {"type", notice.type},
                          {"title", notice.title},
                          {"message", notice.message},
                          {"actions", std::move(actions)},
                          {"since", notice.since},
                          {"dismissible", notice.dismissible}});
}

std::vector<Notice> Notices::current(const api::Caller& caller) const {
    std::vector<Notice> all;
    const Instant now = site_.clock.now();
    site_.store.read([&](store::Session& session) {
        all.clear();
        for (const Source& source : sources_)
            for (Notice& notice : source(session, now))
                if (caller.can(notice.capability)) {
                    std::erase_if(notice.actions, [&](const Action& action) {
                        return !action.capability.empty() && !caller.can(action.capability);
                    });
                    all.push_back(std::move(notice));
                }
    });
    if (site_.hooks.filtered(notices_filter.name)) {
        auto list = json::array_of(all, [&](const Notice& notice) { return to_json(notice); });
        const Value filtered = site_.hooks.apply(notices_filter, std::move(list), {Value(caller.user_id)});
        all.clear();
        for (const Value& each : filtered.items())
            if (auto notice = of_value(each); notice && all.size() < most_notices)
                all.push_back(std::move(*notice));
    }
    std::stable_sort(all.begin(), all.end(), [](const Notice& a, const Notice& b) { return rank_of(a) < rank_of(b); });
    return all;
}

std::vector<Notice> Notices::of(const api::Caller& caller) const {
    auto all = current(caller);
    std::map<std::string, Instant> away;
    site_.store.read([&](store::Session& session) {
        away.clear();
        store::each_row(session, "SELECT notice_key, dismissed_at FROM svc_notice_dismissals WHERE user_id = :user",
                        {{"user", caller.user_id}}, [&](const std::string& key, Instant at) { away[key] = at; });
    });
    std::erase_if(all, [&](const Notice& notice) {
        const auto found = away.find(notice.key);
        return notice.dismissible && found != away.end() && notice.since <= found->second;
    });
    return all;
}

Result<bool> Notices::dismiss(const api::Caller& caller, const std::string& key) const {
    const auto all = current(caller);
    const bool may = std::any_of(all.begin(), all.end(),
                                 [&](const Notice& notice) { return notice.key == key && notice.dismissible; });
    if (!may)
        return false;
    return site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        tx.run(
            "INSERT INTO svc_notice_dismissals (user_id, notice_key, dismissed_at) VALUES (:user, :key, :now)"
            " ON CONFLICT (user_id, notice_key) DO UPDATE SET dismissed_at = excluded.dismissed_at",
            {{"user", caller.user_id}, {"key", key}, {"now", site_.clock.now()}});
        return true;
    });
}

}  // namespace svc::notices
