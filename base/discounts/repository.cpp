// Statements of discounts, each a whole literal.
#include "base/discounts/repository.hpp"

#include <algorithm>
#include <array>

#include "shared/core/words.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"
#include "shared/store/sorting.hpp"

namespace svc::discounts {
namespace {

#define SVC_DISCOUNT_COLUMNS                                                                                         \
    "SELECT d.id, d.code, d.name, d.description, d.mode, d.rate_ppm, d.flat_minor, d.currency, d.most_minor,"        \
    " d.min_amount_minor, d.usage_limit, d.usage_limit_per_customer, d.valid_from, d.expiry_date,"                   \
    " d.first_time_customer_only, d.for_all_trips, d.status, d.status_before_trash, d.by_category,"                  \
    " d.min_group_size, d.max_group_size, d.group_rate_ppm, d.group_flat_minor, d.row_version, d.created_at,"        \
    " d.updated_at, d.created_by, d.updated_by,"                                                                     \
    " (SELECT COUNT(*) FROM svc_discount_redemptions r WHERE r.discount_id = d.id AND r.status = 'active') AS uses," \
    " (SELECT u.display_name FROM svc_users u WHERE u.id = d.created_by),"                                           \
    " (SELECT u.display_name FROM svc_users u WHERE u.id = d.updated_by)"                                            \
    " FROM svc_discounts d"
constexpr store::Columns discount_types =
    "itttt"
    "iitiiiitt"
    "iittii"
    "iiii"
    "iiiii"
    "tt";

#define SVC_DISCOUNT_WHERE                                                     \
    " WHERE ((:any_status = 1 AND d.status <> 'trash') OR d.status = :status)" \
    " AND d.created_at >= :from AND d.created_at < :to"                        \
    " AND (:type = '' OR (:type = 'percentage' AND d.rate_ppm IS NOT NULL)"    \
    "  OR (:type = 'fixed' AND d.flat_minor IS NOT NULL))"                     \
    " AND (:no_search = 1 OR d.search LIKE :search ESCAPE '\\')"
#define SVC_DISCOUNT_LIST(order) \
    SVC_DISCOUNT_COLUMNS SVC_DISCOUNT_WHERE " ORDER BY " order " LIMIT :limit OFFSET :offset"

using Sorting = store::Sorting<>;
#define SVC_SORTED(key, column) \
    Sorting { key, SVC_DISCOUNT_LIST(column ", d.id"), SVC_DISCOUNT_LIST(column " DESC, d.id DESC") }
constexpr std::array sortings{
    SVC_SORTED("created_at", "d.created_at"),
    Sorting{"id", SVC_DISCOUNT_LIST("d.id"), SVC_DISCOUNT_LIST("d.id DESC")},
    SVC_SORTED("code", "COALESCE(d.code, '')"),
    SVC_SORTED("amount", "COALESCE(d.rate_ppm, d.flat_minor)"),
    SVC_SORTED("status", "d.status"),
    SVC_SORTED("usage_count", "uses"),
    SVC_SORTED("valid_from", "COALESCE(d.valid_from, '')"),
    SVC_SORTED("expiry_date", "COALESCE(d.expiry_date, '')"),
};

std::optional<Cut> cut_of(const store::Row& row, std::size_t column, Currency currency) {
    if (!row.is_null(column))
        return Cut{.rate = Rate{row.integer(column)}, .flat = {}};
    if (!row.is_null(column + 1))
        return Cut{.rate = {}, .flat = Money{row.integer(column + 1), currency}};
    return std::nullopt;
}

Discount read(const store::Row& row) {
    const Currency currency = Currency::parse(row.text(7)).value();
    const auto money = [&](std::size_t column) {
        return row.is_null(column) ? std::nullopt : std::optional(Money{row.integer(column), currency});
    };
    Discount discount;
    discount.id = row.integer(0);
    discount.code = row.maybe_text(1).value_or("");
    discount.name = row.text(2);
    discount.description = row.text(3);
    discount.mode = row.text(4);
    discount.cut = cut_of(row, 5, currency).value_or(Cut{});
    discount.currency = currency;
    discount.most = money(8);
    discount.min_amount = money(9);
    discount.usage_limit = row.integer(10);
    discount.usage_limit_per_customer = row.integer(11);
    discount.valid_from = row.maybe_date(12);
    discount.expiry_date = row.maybe_date(13);
    discount.first_time_customer_only = row.flag(14);
    discount.for_all_trips = row.flag(15);
    discount.status = row.text(16);
    discount.status_before_trash = row.maybe_text(17);
    discount.by_category = row.flag(18);
    discount.min_group_size = row.maybe_integer(19);
    discount.max_group_size = row.maybe_integer(20);
    discount.group_cut = cut_of(row, 21, currency);
    discount.row_version = row.integer(23);
    discount.created_at = row.instant(24);
    discount.updated_at = row.instant(25);
    discount.created_by = row.maybe_integer(26);
    discount.updated_by = row.maybe_integer(27);
    discount.usage_count = row.integer(28);
    discount.created_by_name = row.maybe_text(29);
    discount.updated_by_name = row.maybe_text(30);
    return discount;
}

// Trips and ranges of discounts in any order, each in one statement.
void add_children(store::Session& session, std::vector<Discount>& discounts) {
    std::vector<std::int64_t> ids;
    ids.reserve(discounts.size());
    for (const Discount& each : discounts)
        ids.push_back(each.id);
    const auto of = [&](std::int64_t id) -> Discount& {
        return *std::find_if(discounts.begin(), discounts.end(), [&](const Discount& each) { return each.id == id; });
    };
    store::each_of(session,
                   SVC_BY_IDS("SELECT l.discount_id, l.trip_id FROM svc_discount_trips l WHERE", "l.discount_id",
                              "ORDER BY l.discount_id, l.trip_id"),
                   "ii", ids, [&](const store::Row& row) { of(row.integer(0)).trip_ids.push_back(row.integer(1)); });
    store::each_of(session,
                   SVC_BY_IDS("SELECT r.discount_id, r.category_id, r.least, r.most, r.rate_ppm, r.flat_minor"
                              " FROM svc_discount_ranges r WHERE",
                              "r.discount_id", "ORDER BY r.discount_id, r.id"),
                   "iiiiii", ids, [&](const store::Row& row) {
                       Discount& discount = of(row.integer(0));
                       discount.ranges.push_back({.category_id = row.maybe_integer(1),
                                                  .least = row.integer(2),
                                                  .most = row.maybe_integer(3),
                                                  .cut = cut_of(row, 4, discount.currency).value_or(Cut{})});
                   });
}

std::optional<Discount> with_children(store::Session& session, std::optional<Discount> found) {
    if (!found)
        return found;
    std::vector<Discount> one{std::move(*found)};
    add_children(session, one);
    return std::move(one.front());
}

store::Params conditions(const Query& query) {
    return {{"any_status", query.status.empty() || query.status == "all"},
            {"status", query.status},
            {"from", query.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", query.to.value_or(Instant::from_micros(INT64_MAX))},
            {"type", query.type},
            {"no_search", query.search.empty()},
            {"search", store::like_contains(text::search_key(query.search))}};
}

std::optional<std::int64_t> ppm_of(const std::optional<Cut>& cut) {
    return cut && cut->rate ? std::optional(cut->rate->ppm) : std::nullopt;
}
std::optional<std::int64_t> minor_of(const std::optional<Money>& money) {
    return money ? std::optional(money->minor()) : std::nullopt;
}
std::optional<std::int64_t> flat_of(const std::optional<Cut>& cut) { return cut ? minor_of(cut->flat) : std::nullopt; }

store::Params values(const Discount& d, Instant now) {
    return {{"code", d.code.empty() ? std::nullopt : std::optional(d.code)},
            {"name", d.name},
            {"description", d.description},
            {"mode", d.mode},
            {"rate", ppm_of(d.cut)},
            {"flat", flat_of(d.cut)},
            {"currency", d.currency.code()},
            {"most", minor_of(d.most)},
            {"min_amount", minor_of(d.min_amount)},
            {"usage_limit", d.usage_limit},
            {"per_customer", d.usage_limit_per_customer},
            {"valid_from", d.valid_from},
            {"expiry_date", d.expiry_date},
            {"first_time", d.first_time_customer_only},
            {"for_all", d.for_all_trips},
            {"status", d.status},
            {"before_trash", d.status_before_trash},
            {"by_category", d.by_category},
            {"min_size", d.min_group_size},
            {"max_size", d.max_group_size},
            {"group_rate", ppm_of(d.group_cut)},
            {"group_flat", flat_of(d.group_cut)},
            {"search", text::search_key(d.code + "\n" + d.name + "\n" + d.description)},
            {"now", now},
            {"created_by", d.created_by},
            {"updated_by", d.updated_by}};
}

void write_children(store::Transaction& tx, std::int64_t id, const Discount& discount) {
    for (const std::int64_t trip : discount.trip_ids)
        tx.run("INSERT INTO svc_discount_trips (discount_id, trip_id) VALUES (:id, :trip)",
               {{"id", id}, {"trip", trip}});
    for (const Range& range : discount.ranges)
        tx.run(
            "INSERT INTO svc_discount_ranges (discount_id, category_id, least, most, rate_ppm, flat_minor)"
            " VALUES (:id, :category, :least, :most, :rate, :flat)",
            {{"id", id},
             {"category", range.category_id},
             {"least", range.least},
             {"most", range.most},
             {"rate", ppm_of(range.cut)},
             {"flat", flat_of(range.cut)}});
}

}  // namespace

std::vector<std::string> sort_keys() { return store::keys_of(sortings); }

namespace rows {

std::optional<Discount> find(store::Session& session, std::int64_t id) {
    return with_children(
        session, session.first<Discount>(SVC_DISCOUNT_COLUMNS " WHERE d.id = :id", discount_types, {{"id", id}}, read));
}

std::optional<Discount> by_code(store::Session& session, std::string_view code) {
    return with_children(session, session.first<Discount>(SVC_DISCOUNT_COLUMNS " WHERE d.code = :code", discount_types,
                                                          {{"code", code}}, read));
}

std::vector<Discount> list(store::Session& session, const Query& query) {
    auto params = conditions(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto found = session.all<Discount>(store::sorted_by(sortings, query.order_by, query.ascending), discount_types,
                                       params, read);
    add_children(session, found);
    return found;
}

std::int64_t count(store::Session& session, const Query& query) {
    return session.number("SELECT COUNT(*) FROM svc_discounts d" SVC_DISCOUNT_WHERE, conditions(query));
}

Counts counts(store::Session& session) {
    Counts counts;
    session.each("SELECT status, COUNT(*) FROM svc_discounts GROUP BY status", "ti", {}, [&](const store::Row& row) {
        const std::string& of = row.text(0);
        (of == status::publish   ? counts.publish
         : of == status::draft   ? counts.draft
         : of == status::expired ? counts.expired
                                 : counts.trash) = row.integer(1);
    });
    counts.all = counts.publish + counts.draft + counts.expired;
    return counts;
}

std::vector<Discount> groups(store::Session& session) {
    auto found =
        session.all<Discount>(SVC_DISCOUNT_COLUMNS " WHERE d.status = 'publish' AND d.mode <> 'promo' ORDER BY d.id",
                              discount_types, {}, read);
    add_children(session, found);
    return found;
}

std::int64_t insert(store::Transaction& tx, const Discount& discount, Instant now) {
    const auto id = tx.insert(
        "INSERT INTO svc_discounts (code, name, description, mode, rate_ppm, flat_minor, currency, most_minor,"
        " min_amount_minor, usage_limit, usage_limit_per_customer, valid_from, expiry_date, first_time_customer_only,"
        " for_all_trips, status, status_before_trash, by_category, min_group_size, max_group_size, group_rate_ppm,"
        " group_flat_minor, search, created_at, updated_at, created_by, updated_by) VALUES (:code, :name,"
        " :description, :mode, :rate, :flat, :currency, :most, :min_amount, :usage_limit, :per_customer, :valid_from,"
        " :expiry_date, :first_time, :for_all, :status, :before_trash, :by_category, :min_size, :max_size,"
        " :group_rate, :group_flat, :search, :now, :now, :created_by, :updated_by) RETURNING id",
        values(discount, now));
    write_children(tx, id, discount);
    return id;
}

bool update(store::Transaction& tx, const Discount& discount, Instant now) {
    auto params = values(discount, now);
    params.emplace_back("id", discount.id);
    params.emplace_back("version", discount.row_version);
    const bool done =
        tx.run(
            "UPDATE svc_discounts SET code = :code, name = :name, description = :description, mode = :mode,"
            " rate_ppm = :rate, flat_minor = :flat, currency = :currency, most_minor = :most,"
            " min_amount_minor = :min_amount, usage_limit = :usage_limit, usage_limit_per_customer = :per_customer,"
            " valid_from = :valid_from, expiry_date = :expiry_date, first_time_customer_only = :first_time,"
            " for_all_trips = :for_all, status = :status, status_before_trash = :before_trash,"
            " by_category = :by_category, min_group_size = :min_size, max_group_size = :max_size,"
            " group_rate_ppm = :group_rate, group_flat_minor = :group_flat, search = :search, updated_at = :now,"
            " updated_by = :updated_by, row_version = row_version + 1 WHERE id = :id AND row_version = :version",
            params) == 1;
    if (!done)
        return false;
    tx.run("DELETE FROM svc_discount_trips WHERE discount_id = :id", {{"id", discount.id}});
    tx.run("DELETE FROM svc_discount_ranges WHERE discount_id = :id", {{"id", discount.id}});
    write_children(tx, discount.id, discount);
    return true;
}

bool remove(store::Transaction& tx, std::int64_t id) {
    return tx.run("DELETE FROM svc_discounts WHERE id = :id", {{"id", id}}) == 1;
}

std::optional<std::int64_t> unknown_trip(store::Session& session, const std::vector<std::int64_t>& ids) {
    std::vector<std::int64_t> known;
    store::each_of(session, SVC_BY_IDS("SELECT t.id FROM svc_trips t WHERE", "t.id", ""), "i", ids,
                   [&](const store::Row& row) { known.push_back(row.integer(0)); });
    for (const std::int64_t id : ids)
        if (std::find(known.begin(), known.end(), id) == known.end())
            return id;
    return std::nullopt;
}

std::int64_t expire(store::Transaction& tx, Date today, Instant now) {
    return tx.run(
        "UPDATE svc_discounts SET status = 'expired', row_version = row_version + 1, updated_at = :now"
        " WHERE status = 'publish' AND expiry_date < :today",
        {{"today", today}, {"now", now}});
}

}  // namespace rows

}  // namespace svc::discounts
