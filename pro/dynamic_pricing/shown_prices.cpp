// Shown prices in memory and, for other processes and restarts, in the database.
#include "pro/dynamic_pricing/shown_prices.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::dynamic_pricing {
namespace {

using json::Value;

constexpr std::size_t most_entries = 20'000;

bool is_old(Instant shown_at, Instant now) { return shown_at.plus(shown_price_lifetime) <= now; }

Value to_json(const PriceParts& parts) {
    Value all = Value::object();
    for (const auto& [category_id, part] : parts)
        all.set(std::to_string(category_id), part);
    return all;
}

PriceParts parts_in(const std::string& text) {
    PriceParts parts;
    if (const auto read = json::parse(text); read && read->is_object())
        for (const auto& [category_id, part] : read->members())
            parts[std::stoll(category_id)] = part;
    return parts;
}

}  // namespace

std::optional<PriceParts> ShownPrices::find(store::Transaction* tx, std::int64_t session_id, const std::string& choice,
                                            Instant now) {
    const Key key{session_id, choice};
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = entries_.find(key); found != entries_.end()) {
            if (!is_old(found->second.shown_at, now))
                return found->second.parts;
            entries_.erase(found);
        }
    }
    const auto read = [&](store::Session& session) {
        return store::tuple<std::string, std::int64_t>(
            session, "SELECT parts, shown_at FROM svc_shown_prices WHERE session_id = :session_id AND choice = :choice",
            {{"session_id", session_id}, {"choice", choice}});
    };
    const auto row = tx ? read(*tx) : store_.reading<std::optional<std::tuple<std::string, std::int64_t>>>(read);
    if (!row)
        return std::nullopt;
    const Instant shown_at = Instant::from_micros(std::get<1>(*row));
    if (is_old(shown_at, now))
        return std::nullopt;
    PriceParts parts = parts_in(std::get<0>(*row));
    const std::lock_guard lock(mutex_);
    entries_.try_emplace(key, Entry{parts, shown_at, true});
    return parts;
}

void ShownPrices::add(std::int64_t session_id, const std::string& choice, std::int64_t category_id, Value part,
                      Instant now) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= most_entries)
        forget_old(now);
    Entry& entry = entries_.try_emplace({session_id, choice}, Entry{.parts = {}, .shown_at = now}).first->second;
    if (entry.parts.try_emplace(category_id, std::move(part)).second)
        entry.is_stored = false;
}

void ShownPrices::store(std::int64_t session_id, const std::string& choice, Instant now) {
    Entry entry;
    {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find({session_id, choice});
        if (found == entries_.end() || found->second.is_stored)
            return;
        found->second.is_stored = true;
        entry = found->second;
    }
    const Instant oldest = now.minus(shown_price_lifetime);
    // Not transact(): its reply may be kept for the request that is under way.
    std::int64_t rows = 0;
    const auto stored = store_.write([&](store::Transaction& tx) -> Result<void> {
        rows = tx.run(
            "INSERT INTO svc_shown_prices (session_id, choice, parts, shown_at)"
            " VALUES (:session_id, :choice, :parts, :shown_at) ON CONFLICT (session_id, choice) DO UPDATE SET"
            " parts = excluded.parts, shown_at = excluded.shown_at"
            " WHERE svc_shown_prices.shown_at <= :oldest OR svc_shown_prices.shown_at = excluded.shown_at",
            {{"session_id", session_id},
             {"choice", choice},
             {"parts", to_json(entry.parts).dump()},
             {"shown_at", entry.shown_at},
             {"oldest", oldest}});
        return {};
    });
    if (stored && rows > 0)
        return;
    // Another process was faster: its price is the one that was shown first.
    const std::lock_guard lock(mutex_);
    entries_.erase({session_id, choice});
}

void ShownPrices::remove_old(store::Transaction& tx, Instant now) {
    tx.run("DELETE FROM svc_shown_prices WHERE shown_at <= :oldest", {{"oldest", now.minus(shown_price_lifetime)}});
}

void ShownPrices::forget_old(Instant now) {
    std::erase_if(entries_, [&](const auto& each) { return is_old(each.second.shown_at, now); });
    if (entries_.size() >= most_entries)
        entries_.clear();
}

}  // namespace svc::pro::dynamic_pricing
