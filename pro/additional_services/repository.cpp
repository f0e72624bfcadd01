// Statements of additional services, each a whole literal.
#include "pro/additional_services/repository.hpp"

#include <algorithm>

#include "shared/core/words.hpp"
#include "shared/store/like.hpp"
#include "shared/store/sorting.hpp"

namespace svc::pro::additional_services {
namespace {

// Revenue counts in the service's own currency, as bookings of another one cannot hold it.
#define SVC_SERVICE_COLUMNS                                                                                          \
    "s.id, s.name, s.description, s.price_type, s.price_minor, s.rate_ppm, s.currency, s.price_per, s.max_quantity," \
    " s.icon, s.status, s.sort_order, s.applicable_to, s.is_required, s.is_included, s.is_taxable, s.created_at,"    \
    " s.updated_at, (SELECT COUNT(*) FROM svc_booking_services b WHERE b.service_id = s.id),"                        \
    " (SELECT CAST(COALESCE(SUM(b.amount_minor), 0) AS BIGINT) FROM svc_booking_services b WHERE b.service_id = s.id)"
constexpr store::Columns service_columns = "itttiittittitiiiiiii";

#define SVC_SERVICE_WHERE                                                      \
    " WHERE ((:any_status = 1 AND s.status <> 'trash') OR s.status = :status)" \
    " AND s.created_at >= :from AND s.created_at < :to"                        \
    " AND (:no_search = 1 OR s.search LIKE :search ESCAPE '\\')"

#define SVC_SERVICE_LIST(order)                                                                          \
    "SELECT " SVC_SERVICE_COLUMNS " FROM svc_additional_services s" SVC_SERVICE_WHERE " ORDER BY " order \
    " LIMIT :limit OFFSET :offset"

using Sorting = store::Sorting<>;
#define SVC_SORTED(column)                                                                                          \
    Sorting {                                                                                                       \
#column, SVC_SERVICE_LIST("s." #column " ASC, s.id ASC"), SVC_SERVICE_LIST("s." #column " DESC, s.id DESC") \
    }
constexpr Sorting sortings[] = {
    SVC_SORTED(sort_order),
    SVC_SORTED(name),
    SVC_SORTED(status),
    SVC_SORTED(created_at),
    SVC_SORTED(updated_at),
    {"id", SVC_SERVICE_LIST("s.id ASC"), SVC_SERVICE_LIST("s.id DESC")},
    {"price", SVC_SERVICE_LIST("s.price_type ASC, s.price_minor ASC, s.rate_ppm ASC, s.id ASC"),
     SVC_SERVICE_LIST("s.price_type DESC, s.price_minor DESC, s.rate_ppm DESC, s.id DESC")}};

AdditionalService read(const store::Row& row) {
    const Currency currency = Currency::parse(row.text(6)).value();
    return {.id = row.integer(0),
            .name = row.text(1),
            .description = row.text(2),
            .price = {.type = row.text(3),
                      .amount = {row.integer(4), currency},
                      .rate = {row.integer(5)},
                      .per = row.text(7)},
            .max_quantity = row.maybe_integer(8),
            .icon = row.text(9),
            .status = row.text(10),
            .sort_order = row.integer(11),
            .applicable_to = row.text(12),
            .is_required = row.flag(13),
            .is_included = row.flag(14),
            .is_taxable = row.flag(15),
            .bookings_count = row.integer(18),
            .total_revenue = {row.integer(19), currency},
            .created_at = row.instant(16),
            .updated_at = row.instant(17)};
}

store::Params conditions(const Query& query) {
    return {{"any_status", query.status.empty() || query.status == "all"},
            {"status", query.status},
            {"from", query.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", query.to.value_or(Instant::from_micros(INT64_MAX))},
            {"no_search", query.search.empty()},
            {"search", store::like_contains(text::search_key(query.search))}};
}

// The trips of services given in any order; their ids are one range, so one statement serves a page.
void add_trips(store::Session& session, std::vector<AdditionalService>& services) {
    if (services.empty())
        return;
    const auto [least, most] =
        std::minmax_element(services.begin(), services.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    session.each(
        "SELECT l.service_id, t.id, t.title FROM svc_additional_service_trips l JOIN svc_trips t ON t.id = l.trip_id"
        " WHERE l.service_id BETWEEN :least AND :most ORDER BY l.service_id, t.id",
        "iit", {{"least", least->id}, {"most", most->id}}, [&](const store::Row& row) {
            for (auto& service : services)
                if (service.id == row.integer(0)) {
                    service.trip_ids.push_back(row.integer(1));
                    service.trips.emplace_back(row.integer(1), row.text(2));
                }
        });
}

store::Params values(const AdditionalService& service, std::int64_t user_id, Instant now) {
    const auto user = user_id > 0 ? std::optional(user_id) : std::nullopt;
    return {{"name", service.name},
            {"description", service.description},
            {"price_type", service.price.type},
            {"price_minor", service.price.amount.minor()},
            {"rate_ppm", service.price.rate.ppm},
            {"currency", service.price.amount.currency().code()},
            {"price_per", service.price.per},
            {"max_quantity", service.max_quantity},
            {"icon", service.icon},
            {"status", service.status},
            {"sort_order", service.sort_order},
            {"applicable_to", service.applicable_to},
            {"is_required", service.is_required},
            {"is_included", service.is_included},
            {"is_taxable", service.is_taxable},
            {"search", text::search_key(service.name + "\n" + service.description)},
            {"updated_by", user},
            {"deleted_at", service.status == status::trash ? std::optional(now) : std::nullopt},
            {"updated_at", now}};
}

void write_trips(store::Transaction& tx, std::int64_t id, const std::vector<std::int64_t>& trip_ids) {
    tx.run("DELETE FROM svc_additional_service_trips WHERE service_id = :id", {{"id", id}});
    for (const auto trip_id : trip_ids)
        tx.run(
            "INSERT INTO svc_additional_service_trips (service_id, trip_id) VALUES (:id, :trip_id)"
            " ON CONFLICT (service_id, trip_id) DO NOTHING",
            {{"id", id}, {"trip_id", trip_id}});
}

}  // namespace

std::vector<AdditionalService> Repository::list(store::Session& session, const Query& query) const {
    auto params = conditions(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto services = session.all<AdditionalService>(store::sorted_by(sortings, query.order_by, query.ascending),
                                                   service_columns, params, read);
    add_trips(session, services);
    return services;
}

std::int64_t Repository::fold_search(store::Transaction& tx) const {
    std::vector<std::pair<std::int64_t, std::string>> rows;
    tx.each("SELECT id, search FROM svc_additional_services", "it", {},
            [&](const store::Row& row) { rows.emplace_back(row.integer(0), row.text(1)); });
    std::int64_t changed = 0;
    for (const auto& [id, before] : rows)
        if (const std::string folded = text::search_key(before); folded != before)
            changed += tx.run("UPDATE svc_additional_services SET search = :folded WHERE id = :id AND search = :before",
                              {{"folded", folded}, {"id", id}, {"before", before}});
    return changed;
}

std::int64_t Repository::count(store::Session& session, const Query& query) const {
    return session.number("SELECT COUNT(*) FROM svc_additional_services s" SVC_SERVICE_WHERE, conditions(query));
}

std::optional<AdditionalService> Repository::find(store::Session& session, std::int64_t id) const {
    auto found =
        session.all<AdditionalService>("SELECT " SVC_SERVICE_COLUMNS " FROM svc_additional_services s WHERE s.id = :id",
                                       service_columns, {{"id", id}}, read);
    add_trips(session, found);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::optional<std::int64_t> Repository::unknown_trip(store::Session& session,
                                                     const std::vector<std::int64_t>& trip_ids) const {
    for (const auto trip_id : trip_ids)
        if (session.number("SELECT COUNT(*) FROM svc_trips WHERE id = :id", {{"id", trip_id}}) == 0)
            return trip_id;
    return std::nullopt;
}

std::int64_t Repository::insert(store::Transaction& tx, const AdditionalService& service, std::int64_t user_id,
                                Instant now) const {
    auto params = values(service, user_id, now);
    params.insert(params.end(),
                  {{"created_by", user_id > 0 ? std::optional(user_id) : std::nullopt}, {"created_at", now}});
    const auto id = tx.insert(
        "INSERT INTO svc_additional_services (name, description, price_type, price_minor, rate_ppm, currency,"
        " price_per, max_quantity, icon, status, sort_order, applicable_to, is_required, is_included, is_taxable,"
        " search, created_by, updated_by, deleted_at, created_at, updated_at)"
        " VALUES (:name, :description, :price_type, :price_minor, :rate_ppm, :currency, :price_per, :max_quantity,"
        " :icon, :status, :sort_order, :applicable_to, :is_required, :is_included, :is_taxable, :search, :created_by,"
        " :updated_by, :deleted_at, :created_at, :updated_at) RETURNING id",
        params);
    write_trips(tx, id, service.trip_ids);
    return id;
}

void Repository::update(store::Transaction& tx, const AdditionalService& service, std::int64_t user_id,
                        Instant now) const {
    auto params = values(service, user_id, now);
    params.push_back({"id", service.id});
    tx.run(
        "UPDATE svc_additional_services SET name = :name, description = :description, price_type = :price_type,"
        " price_minor = :price_minor, rate_ppm = :rate_ppm, currency = :currency, price_per = :price_per,"
        " max_quantity = :max_quantity, icon = :icon, status = :status, sort_order = :sort_order,"
        " applicable_to = :applicable_to, is_required = :is_required, is_included = :is_included,"
        " is_taxable = :is_taxable, search = :search, updated_by = :updated_by, deleted_at = :deleted_at,"
        " updated_at = :updated_at WHERE id = :id",
        params);
    write_trips(tx, service.id, service.trip_ids);
}

void Repository::remove(store::Transaction& tx, std::int64_t id) const {
    tx.run("DELETE FROM svc_additional_services WHERE id = :id", {{"id", id}});
}

void Repository::keep(store::Transaction& tx, std::int64_t booking_id, const json::Value& services, Instant now) const {
    tx.run("DELETE FROM svc_booking_services WHERE booking_id = :id", {{"id", booking_id}});
    const auto code = tx.first<std::string>("SELECT currency FROM svc_bookings WHERE id = :id", "t",
                                            {{"id", booking_id}}, [](const store::Row& row) { return row.text(0); });
    const auto currency = Currency::parse(code.value_or(""));
    if (!currency || !services.is_array())
        return;
    const auto amount = [&](const json::Value& given) {
        const auto money =
            given.is_number() ? Money::parse(given.number_text(), *currency) : Result<Money>(Money::zero(*currency));
        return money ? money->minor() : 0;
    };
    for (const json::Value& one : services.items()) {
        const auto id = one.maybe_integer("id");
        const bool ours =
            id && tx.number("SELECT COUNT(*) FROM svc_additional_services WHERE id = :id", {{"id", *id}}) > 0;
        if (!ours || !one["calculated_price"].is_number())
            continue;
        const bool is_share = one.text_or("price_type") == "percentage";
        const auto rate = is_share && one["price"].is_number() ? Rate::parse_percent(one["price"].number_text())
                                                               : Result<Rate>(Rate{});
        tx.run(
            "INSERT INTO svc_booking_services (booking_id, service_id, name, price_type, price_per, price_minor,"
            " unit_minor, rate_ppm, quantity, days, amount_minor, is_required, is_included, created_at)"
            " VALUES (:booking_id, :id, :name, :price_type, :price_per, :price, :unit, :rate, :quantity, :days,"
            " :amount, :is_required, :is_included, :now)",
            {{"booking_id", booking_id},
             {"name", one.text_or("name")},
             {"price_type", is_share ? "percentage" : "fixed"},
             {"price_per", one.text_or("price_per", "booking")},
             {"price", is_share ? std::nullopt : std::optional(amount(one["price"]))},
             {"unit", amount(one["unit_price"])},
             {"rate", rate ? rate->ppm : 0},
             {"quantity", std::max<std::int64_t>(1, one.maybe_integer("quantity").value_or(1))},
             {"days", std::max<std::int64_t>(1, one.maybe_integer("days").value_or(1))},
             {"amount", amount(one["calculated_price"])},
             {"is_required", one.maybe_boolean("is_required").value_or(false)},
             {"is_included", one.maybe_boolean("is_included").value_or(false)},
             {"now", now},
             {"id", *id}});
    }
}

json::Value Repository::of_booking(store::Session& session, std::int64_t booking_id) const {
    json::Value services = json::Value::array();
    session.each(
        "SELECT v.service_id, v.name, v.price_type, v.price_per, v.unit_minor, v.rate_ppm, v.quantity, v.days,"
        " v.amount_minor, v.is_required, v.is_included, b.currency,"
        " COALESCE(v.price_minor, v.unit_minor) FROM svc_booking_services v"
        " JOIN svc_bookings b ON b.id = v.booking_id WHERE v.booking_id = :id ORDER BY v.id",
        "itttiiiiiiiti", {{"id", booking_id}}, [&](const store::Row& row) {
            const Currency currency = Currency::parse(row.text(11)).value();
            const bool is_share = row.text(2) == "percentage";
            const Money unit{row.integer(4), currency}, listed{row.integer(12), currency};
            services.push(
                json::Value::object({{"id", row.maybe_integer(0)},
                                     {"name", row.text(1)},
                                     {"price", is_share ? json::Value(Rate{row.integer(5)}) : json::Value(listed)},
                                     {"price_type", row.text(2)},
                                     {"price_per", row.text(3)},
                                     {"unit_price", unit},
                                     {"quantity", row.integer(6)},
                                     {"days", row.integer(7)},
                                     {"calculated_price", Money{row.integer(8), currency}},
                                     {"selected", !row.flag(9) && !row.flag(10)},
                                     {"is_required", row.flag(9)},
                                     {"is_included", row.flag(10)}}));
        });
    return services;
}

}  // namespace svc::pro::additional_services
