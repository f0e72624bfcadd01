// Whether the module is on or off: the data that it stored belongs to the person.
#include "pro/saved_trips/privacy.hpp"

#include "pro/common/tables.hpp"
#include "shared/record/facts.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::saved_trips {
namespace {

using json::Value;

constexpr std::size_t of_user = 2;  // the argument with the account

const facts::Facts& saved_facts() {
    static const facts::Facts facts({{.name = "svc_saved_trips", .erased = {{.of = {{facts::By::user, "user_id"}}}}}});
    return facts;
}

std::int64_t user_of(const json::Array& given) {
    return given.size() > of_user && given[of_user].is_number() ? given[of_user].integer() : 0;
}

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_saved_trips"); }

Value saved_of(store::Session& session, std::int64_t user_id) {
    Value all = Value::array();
    if (user_id > 0 && has_tables(session))
        for (const auto& [title, saved_at] : store::tuples<std::string, std::int64_t>(
                 session,
                 "SELECT t.title, s.saved_at FROM svc_saved_trips s JOIN svc_trip_v1 t ON t.id = s.trip_id"
                 " WHERE s.user_id = :user ORDER BY s.saved_at",
                 {{"user", user_id}}))
            all.push(Value::object({{"trip", title}, {"saved_at", Instant::from_micros(saved_at)}}));
    return all;
}

}  // namespace

void take_part_in_privacy(const Site& site) {
    const hooks::Listener listener{.name = "svc_saved_trips", .module = {}};
    site.filter_if_known(
        "svc_person_export", listener, [&store = site.store](store::Transaction* tx, const json::Array& given) {
            Value more = given.front();
            Value saved =
                tx ? saved_of(*tx, user_of(given))
                   : store.reading<Value>([&](store::Session& session) { return saved_of(session, user_of(given)); });
            if (saved.size() > 0)
                more.set("saved_trips", std::move(saved));
            return more;
        });
    site.filter_if_known("svc_person_erasure", listener, [](store::Transaction* tx, const json::Array& given) {
        if (!tx || user_of(given) == 0 || !has_tables(*tx))
            return given.front();
        std::int64_t rows = given.front().integer();
        saved_facts().erase(*tx, {.user_id = user_of(given)}, {},
                            [&](std::string_view, std::int64_t changed) { rows += changed; });
        return Value(rows);
    });
}

}  // namespace svc::pro::saved_trips
