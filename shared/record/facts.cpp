// Assembles the statements that facts ask for. All parts are constants of the declarations: no name and no value of a
// request.
#include "shared/record/facts.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::facts {
namespace {

constexpr std::int64_t most_exported = 10'000;

// The rows of a person as a condition, for each database.
std::pair<std::string, std::string> condition_of(const Whose& whose) {
    std::string sqlite, postgresql;
    switch (whose.by) {
        case By::booking:
        case By::enquiry:
            sqlite = whose.column + " IN (SELECT value FROM json_each(:ids))";
            postgresql = whose.column + " = ANY(CAST(:ids AS BIGINT[]))";
            break;
        case By::customer:
            sqlite = postgresql = whose.column + " = :customer";
            break;
        case By::user:
            sqlite = postgresql = whose.column + " = :user";
            break;
        case By::address:
            sqlite = postgresql = whose.column + " = :email";
            break;
        case By::mention:
            sqlite = postgresql = "REPLACE(LOWER(" + whose.column +
                                  "), '\"' || CAST(:email AS TEXT) || '\"', '') <> LOWER(" + whose.column + ")";
            break;
    }
    const std::string more = whose.condition.empty() ? std::string() : " AND " + whose.condition;
    return {sqlite + more, postgresql + more};
}

// Nobody's rows have an id of nobody.
bool has(const Person& person, By by) {
    switch (by) {
        case By::booking:
            return !person.booking_ids.empty();
        case By::enquiry:
            return !person.enquiry_ids.empty();
        case By::customer:
            return person.customer_id != 0;
        case By::user:
            return person.user_id != 0;
        case By::address:
        case By::mention:
            return !person.email.empty();
    }
    return false;
}

store::Params params_of(store::Dialect dialect, const Person& person, By by) {
    store::Params params{{"email", person.email}, {"user", person.user_id}, {"customer", person.customer_id}};
    if (by == By::booking || by == By::enquiry)
        params.emplace_back("ids",
                            store::ids_text(dialect, by == By::booking ? person.booking_ids : person.enquiry_ids));
    return params;
}

std::string head_of(const Table& table, const Erased& erased) {
    if (erased.blanked.empty())
        return "DELETE FROM " + table.name + " WHERE ";
    std::string sets;
    for (const Blank& blank : erased.blanked)
        sets += (sets.empty() ? "" : ", ") + blank.column + " = " + blank.value;
    if (erased.is_record)
        sets += ", updated_at = :now, row_version = row_version + 1";
    return "UPDATE " + table.name + " SET " + sets + " WHERE ";
}

}  // namespace

json::Value Users::to_json() const {
    return json::Value::object({{"total", total}, {"items", json::array_of(first, [](const User& user) {
                                                       return json::Value::object(
                                                           {{"type", user.type},
                                                            {"id", user.id ? json::Value(user.id) : json::Value()},
                                                            {"title", user.title}});
                                                   })}});
}

Facts::Facts(std::vector<Table> tables) : tables_(std::move(tables)) {
    for (Table& table : tables_)
        for (const Reference& reference : table.refers)
            if (reference.blocks && !table.listed.empty())
                table.uses.push_back({reference.table, table.name,
                                      "SELECT id FROM " + table.name + " WHERE " + reference.column + " = :id"});
    for (const Table& table : tables_) {
        if (std::count_if(tables_.begin(), tables_.end(), [&](const Table& each) { return each.name == table.name; }) >
            1)
            throw std::logic_error("Two features state facts of the table " + table.name + ".");
        add(table);
    }
    add_uses();
}

void Facts::add(const Table& table) {
    for (const Erased& erased : table.erased)
        for (const Whose& whose : erased.of) {
            const auto [sqlite, postgresql] = condition_of(whose);
            const std::string head = head_of(table, erased);
            erasing_.push_back({table.name, whose.by, {head + sqlite, head + postgresql}});
        }
    for (const Naming& naming : table.naming) {
        const std::string where = " WHERE " + naming.column + " = :text";
        named_.push_back({table.name, naming.kind,
                          "SELECT DISTINCT " + naming.column + " FROM " + table.name + " WHERE LOWER(" + naming.column +
                              ") LIKE :part ESCAPE '\\'",
                          naming.value.empty()
                              ? "DELETE FROM " + table.name + where
                              : "UPDATE " + table.name + " SET " + naming.column + " = " + naming.value + where});
    }
    for (const Exported& exported : table.exported) {
        std::string selected, types;
        for (const Exported::Member& member : exported.members) {
            selected += (selected.empty() ? "SELECT " : ", ") + member.column;
            types += member.kind == Exported::Kind::text ? 't' : 'i';
        }
        const auto [sqlite, postgresql] = condition_of(exported.of);
        const std::string head = selected + " FROM " + table.name + " WHERE ", tail = " ORDER BY id LIMIT :most";
        exporting_.push_back({&exported, types, {head + sqlite + tail, head + postgresql + tail}});
    }
    for (const Claimed& claimed : table.claimed) {
        const std::string where = " WHERE " + claimed.account + " IS NULL AND " + claimed.address + " = :email AND " +
                                  claimed.address + " <> ''";
        claiming_.push_back({"SELECT COUNT(*) FROM " + table.name + where,
                             "UPDATE " + table.name + " SET " + claimed.account + " = :user" + where});
    }
    for (const Reference& reference : table.refers) {
        const std::string rows = " FROM " + table.name + " WHERE " + reference.column + " = :id";
        if (reference.blocks)
            blocking_.push_back({reference.table, "SELECT COUNT(*)" + rows});
        if (reference.merged_as.empty())
            continue;
        OfCustomer of_customer{.name = reference.merged_as,
                               .count = "SELECT COUNT(*)" + rows,
                               .move = "UPDATE " + table.name + " SET " + reference.column + " = :to WHERE " +
                                       reference.column + " = :from"};
        if (!reference.account.empty()) {
            const std::string without = " AND " + reference.account + " IS NULL";
            of_customer.count_without_account = of_customer.count + without;
            of_customer.give = "UPDATE " + table.name + " SET " + reference.account +
                               " = :user, row_version = row_version + 1, updated_at = :now WHERE " + reference.column +
                               " = :id" + without;
        }
        of_customer_.push_back(std::move(of_customer));
    }
}

// One kind of record may use a thing by several tables and is named once.
void Facts::add_uses() {
    std::map<std::string_view, std::map<std::string, std::vector<const Use*>>> uses;
    for (const Table& table : tables_)
        for (const Use& use : table.uses)
            uses[use.of][use.by].push_back(&use);
    for (const bool first : {true, false})
        for (const Table& table : tables_)
            for (const Listed& listed : table.listed) {
                if (listed.is_first != first)
                    continue;
                for (const auto& [of, users] : uses) {
                    const auto found = users.find(table.name);
                    if (found == users.end())
                        continue;
                    const auto rows = [&, &all = found->second](bool only_shown) {
                        std::string ids;
                        for (const Use* use : all)
                            if (use->is_shown || !only_shown)
                                ids += (ids.empty() ? "" : " UNION ") + use->rows;
                        return ids.empty() ? std::string()
                                           : " FROM " + (listed.from.empty() ? table.name + " r" : listed.from) +
                                                 " WHERE r." + listed.key + " IN (" + ids + ")";
                    };
                    const std::string all = rows(false), shown = rows(true);
                    const std::string id = listed.key == "id" ? "r.id" : "CAST(0 AS BIGINT)";
                    using_.push_back({.of = of,
                                      .count = "SELECT COUNT(*)" + all,
                                      .count_shown = shown.empty() ? shown : "SELECT COUNT(*)" + shown,
                                      .first = "SELECT " + listed.type + ", " + listed.title + ", " + id + all +
                                               " ORDER BY r." + listed.key + " LIMIT :most"});
                }
            }
    for (const auto& [of, users] : uses)
        for (const auto& [by, all] : users)
            if (std::none_of(tables_.begin(), tables_.end(),
                             [&](const Table& table) { return table.name == by && !table.listed.empty(); }))
                throw std::logic_error("The facts of " + by + " do not say how its records are listed.");
}

Person Facts::person(store::Session& session, std::string_view email) const {
    Person person{.email = std::string(email)};
    const auto ids_of = [&](By by) {
        std::vector<std::int64_t> ids;
        for (const Table& table : tables_)
            for (const Known& known : table.known)
                if (known.by == by)
                    store::each_row(session, known.rows, {{"email", person.email}, {"user", person.user_id}},
                                    [&](std::int64_t id) { ids.push_back(id); });
        return ids;
    };
    const auto first = [](const std::vector<std::int64_t>& ids) { return ids.empty() ? 0 : ids.front(); };
    person.user_id = first(ids_of(By::user));  // the others go by it
    person.customer_id = first(ids_of(By::customer));
    person.booking_ids = ids_of(By::booking);
    person.enquiry_ids = ids_of(By::enquiry);
    return person;
}

void Facts::erase(store::Transaction& tx, const Person& person, Instant now, const Changed& changed) const {
    for (auto each = erasing_.rbegin(); each != erasing_.rend(); ++each) {
        if (!has(person, each->by))
            continue;
        store::Params params = params_of(tx.dialect(), person, each->by);
        params.emplace_back("now", now);
        const bool sqlite = tx.dialect() == store::Dialect::sqlite;
        changed(each->table, tx.run(sqlite ? each->statement.sqlite : each->statement.postgresql, params));
    }
}

void Facts::erase_names(store::Transaction& tx, const Person& person, const Names& names,
                        const Changed& changed) const {
    for (const Named& each : named_) {
        std::vector<std::string> found;
        store::each_row(tx, each.find, {{"part", store::like_contains(person.email)}}, [&](const std::string& text) {
            if (names(each.kind, text))
                found.push_back(text);
        });
        for (const std::string& text : found)
            changed(each.table, tx.run(each.erase, {{"text", text}}));
    }
}

json::Value Facts::exported(store::Session& session, std::string_view key, const Person& person) const {
    auto all = json::Value::array();
    for (const Exporting& each : exporting_) {
        if (each.member->key != key || !has(person, each.member->of.by))
            continue;
        store::Params params = params_of(session.dialect(), person, each.member->of.by);
        params.emplace_back("most", most_exported);
        const bool sqlite = session.dialect() == store::Dialect::sqlite;
        session.each(sqlite ? each.statement.sqlite : each.statement.postgresql, each.columns, params,
                     [&](const store::Row& row) {
                         auto shown = json::Value::object();
                         std::size_t at = 0;
                         for (const Exported::Member& member : each.member->members) {
                             shown.set(member.name, member.kind == Exported::Kind::text
                                                        ? json::Value(row.maybe_text(at))
                                                        : json::Value(row.maybe_instant(at)));
                             ++at;
                         }
                         all.push(std::move(shown));
                     });
    }
    return all;
}

json::Value Facts::customers_rows(store::Session& session, std::int64_t id) const {
    auto counts = json::Value::object();
    for (const OfCustomer& each : of_customer_)
        counts.set(each.name, session.number(each.count, {{"id", id}}));
    return counts;
}

std::vector<std::string> Facts::names_of_customers_rows() const {
    std::vector<std::string> names;
    for (const OfCustomer& each : of_customer_)
        names.push_back(each.name);
    return names;
}

void Facts::move_customers_rows(store::Transaction& tx, std::int64_t from, std::int64_t to) const {
    for (const OfCustomer& each : of_customer_)
        tx.run(each.move, {{"from", from}, {"to", to}});
}

std::int64_t Facts::rows_without_account(store::Session& session, std::int64_t customer_id) const {
    std::int64_t count = 0;
    for (const OfCustomer& each : of_customer_)
        if (!each.give.empty())
            count += session.number(each.count_without_account, {{"id", customer_id}});
    return count;
}

void Facts::give_to_account(store::Transaction& tx, std::int64_t customer_id, std::int64_t user_id, Instant now) const {
    for (const OfCustomer& each : of_customer_)
        if (!each.give.empty())
            tx.run(each.give, {{"user", user_id}, {"id", customer_id}, {"now", now}});
}

bool Facts::has_unclaimed(store::Session& session, std::string_view email) const {
    return std::any_of(claiming_.begin(), claiming_.end(), [&](const Claiming& each) {
        return session.number(each.count, {{"email", email}}) > 0;
    });
}

void Facts::claim(store::Transaction& tx, std::int64_t user_id, std::string_view email) const {
    for (const Claiming& each : claiming_)
        tx.run(each.claim, {{"user", user_id}, {"email", email}});
}

bool Facts::is_blocked(store::Session& session, std::string_view table, std::int64_t id) const {
    return std::any_of(blocking_.begin(), blocking_.end(), [&](const Blocking& each) {
        return each.table == table && session.number(each.count, {{"id", id}}) > 0;
    });
}

Users Facts::users_of(store::Session& session, std::string_view of, const store::Params& params, int most) const {
    Users found;
    for (const Using& each : using_) {
        if (each.of != of)
            continue;
        const auto total = session.number(each.count, params);
        found.total += total;
        const int room = most - static_cast<int>(found.first.size());
        if (total == 0 || room <= 0)
            continue;
        store::Params some = params;
        some.emplace_back("most", room);
        store::each_row(session, each.first, some,
                        [&](const std::string& type, const std::string& title, std::int64_t id) {
                            found.first.push_back({type, title, id});
                        });
    }
    return found;
}

bool Facts::is_used(store::Session& session, std::string_view of, const store::Params& params, bool shown) const {
    return std::any_of(using_.begin(), using_.end(), [&](const Using& each) {
        const std::string& count = shown ? each.count_shown : each.count;
        return each.of == of && !count.empty() && session.number(count, params) > 0;
    });
}

std::int64_t Facts::count_since(store::Session& session, const Table& table, const Noticed& noticed, Instant since) {
    const std::string more = noticed.condition.empty() ? std::string() : " AND " + noticed.condition;
    return session.number("SELECT COUNT(*) FROM " + table.name + " WHERE created_at > :since" + more,
                          {{"since", since}});
}

}  // namespace svc::facts
