// Values are written through the trip, so that versions, revisions and memory follow.
#include "base/catalog/attributes/service.hpp"

#include <algorithm>
#include <map>

#include "base/catalog/attributes/hooks.hpp"
#include "base/catalog/attributes/pattern.hpp"
#include "base/catalog/attributes/repository.hpp"
#include "base/catalog/attributes/wire.hpp"
#include "base/platform/crypto/crypto.hpp"

namespace svc::catalog::attributes {
namespace {

using classifications::Classification;
using json::Value;

constexpr int most_tries = 5;
constexpr int most_values = 1000;

Definition definition_of(const Classification& row) {
    return {.id = row.id,
            .name = row.name,
            .details = row.details,
            .is_published = row.status == classifications::Status::publish};
}

// The rules of attributes beyond those of every classification.
Result<void> check_attribute(store::Session& session, const Classification* before, const Classification& row) {
    if (row.type != classifications::Type::attribute)
        return {};
    const Definition attribute = definition_of(row);
    if (before && definition_of(*before).field_type() != attribute.field_type() && rows::has_values(session, row.id)) {
        Error error{errc::conflict, "Trips have values of this field type; remove them before changing it."_sentence};
        error.at("field_type", "Trips have values of this field type; remove them before changing it."_sentence);
        return error;
    }
    if (const auto pattern = row.details["validation_rules"].maybe_text("pattern"))
        if (auto fault = fault_of_pattern(*pattern))
            return invalid("validation_rules.pattern", *fault);
    const Value& otherwise = row.details["default_value"];
    if (is_empty(otherwise) || attribute.field_type() == "file")
        return {};
    auto value = typed(attribute, otherwise, "default_value");
    return value ? Result<void>{} : Result<void>{value.error()};
}

Body body_of(const std::vector<Classification>& attributes) {
    auto data = json::array_of(attributes, [&](const auto& attribute) { return public_json(attribute); });
    std::string text = R"({"success":true,"data":)";
    data.dump_to(text);
    // A single page, as in every list without paging.
    const auto total = static_cast<std::int64_t>(data.size());
    text += R"(,"meta":)" +
            Value::object({{"page", 1},
                           {"per_page", std::max<std::int64_t>(1, total)},
                           {"total", total},
                           {"total_pages", total > 0 ? 1 : 0}})
                .dump() +
            '}';
    std::string etag = '"' + crypto::sha256_hex(text).substr(0, 32) + '"';
    return {std::make_shared<const std::string>(std::move(text)), std::move(etag), total};
}

}  // namespace

Service::Service(const Needs& needs)
    : store_(needs.store), classifications_(needs.classifications), trips_(needs.trips), shown_(needs.shown) {
    classifications_.check(check_attribute);
    classifications_.follow(
        {.changing = {},
         .changed = [this] { reload(); },
         .removing =
             [this](store::Transaction& tx, classifications::Type type, std::int64_t id) {
                 if (type != classifications::Type::attribute)
                     return;
                 trips_.hooks().emit(tx, attribute_force_deleted, {id, record_of(tx, id)});
                 forget(tx, id);
             },
         .written =
             [this](store::Transaction& tx, classifications::Service::Written what, classifications::Type type,
                    std::span<const std::int64_t> ids) {
                 if (type == classifications::Type::attribute)
                     report_changes(tx, what, ids);
             },
         .replaced =
             [this](store::Transaction& tx, const Classification& before, const Classification& now) {
                 if (now.type == classifications::Type::attribute &&
                     definition_of(before).is_searchable() != definition_of(now).is_searchable())
                     trips_.editor().index_again(tx, rows::trips_saying(tx, now.id));
             }});
}

Value Service::record_of(store::Session& session, std::int64_t attribute_id) const {
    const auto attribute = classifications_.read(session, classifications::Type::attribute, attribute_id);
    return attribute ? classifications::to_json(*attribute) : Value();
}

void Service::report_changes(store::Transaction& tx, classifications::Service::Written what,
                             std::span<const std::int64_t> ids) const {
    using Written = classifications::Service::Written;
    const auto emit_first = [&](const hooks::Action& action) { trips_.hooks().emit(tx, action, {ids.front()}); };
    switch (what) {
        case Written::created:
            return emit_first(attribute_created);
        case Written::updated:
            return emit_first(attribute_updated);
        case Written::trashed:
            trips_.hooks().emit(tx, attribute_deleted, {ids.front(), record_of(tx, ids.front())});
            return;
        case Written::removed:  // `removing` was called before
            return;
        case Written::reordered:
            break;
    }
    Value all = json::array_of(ids);
    trips_.hooks().emit(tx, attribute_orders_updated, {std::move(all)});
}

// Deletes the attribute's values, and their words from the search index.
void Service::forget(store::Transaction& tx, std::int64_t attribute_id) {
    const auto said_by = rows::trips_saying(tx, attribute_id);
    for (const std::int64_t trip_id : said_by)
        rows::remove(tx, trip_id, attribute_id);
    trips_.editor().index_again(tx, said_by);
}

void Service::reload() {
    shown_.reload(store_);
    const auto known = shown_.now();
    const auto published = [this](const char* where) {
        return body_of(classifications_.list(classifications::Type::attribute, {.status = "publish",
                                                                                .filters = {{where, std::int64_t{1}}},
                                                                                .order_by = "display_order",
                                                                                .ascending = true,
                                                                                .limit = most_values}));
    };
    // Planning this query takes PostgreSQL milliseconds, so it is skipped when there is nothing to list.
    Body frontend = known->shown.empty() ? body_of({}) : published("show_on_frontend");
    Body filterable = known->filters.empty() ? body_of({}) : published("show_in_filters");
    const std::lock_guard lock(swapping_);
    frontend_ = std::move(frontend);
    filterable_ = std::move(filterable);
}

Body Service::frontend() const {
    const std::lock_guard lock(swapping_);
    return frontend_;
}
Body Service::filterable() const {
    const std::lock_guard lock(swapping_);
    return filterable_;
}

std::vector<AttributeValue> Service::values(store::Session& session, std::int64_t trip_id) {
    std::vector<AttributeValue> all;
    rows::each(session, std::span(&trip_id, 1), [&](rows::AttributeValue stored_value) {
        all.push_back({std::move(stored_value.attribute), std::move(stored_value.value), stored_value.created_at,
                       stored_value.updated_at});
    });
    return all;
}

Result<std::vector<AttributeValue>> Service::values(std::int64_t trip_id, bool staff) const {
    if (!staff && !trips_.published(trip_id))
        return errc::trip_not_found;
    return store_.reading<Result<std::vector<AttributeValue>>>(
        [&](store::Session& session) -> Result<std::vector<AttributeValue>> {
            SVC_RETURN_IF_ERROR(trips::Service::find(session, trip_id));
            auto all = values(session, trip_id);
            if (!staff)
                std::erase_if(all,
                              [](const AttributeValue& stored_value) { return !stored_value.attribute.is_shown(); });
            return all;
        });
}

// Others may write the trip between our look and our write: then we look again.
Result<trips::Trip> Service::rewrite(std::int64_t trip_id, const Rewrite& rewrite, User user, Seen seen) {
    for (int tries = 1;; ++tries) {
        SVC_ASSIGN_OR_RETURN(const auto trip, trips_.find(trip_id));
        if (trip.status == trips::TripStatus::trash)
            return Error{errc::conflict, "The trip is in the trash. Restore it first."_sentence};
        Value values = Value::object();
        for (auto& stored_value :
             store_.reading<std::vector<AttributeValue>>([&](auto& session) { return this->values(session, trip_id); }))
            values.set(std::to_string(stored_value.attribute.id), std::move(stored_value.value));
        SVC_RETURN_IF_ERROR(rewrite(values));
        trips::TripChange change;
        change.row_version = seen.value_or(trip.row_version);
        change.parts.emplace_back("attributes", std::move(values));
        auto written = trips_.editor().update(trip_id, change, user);
        if (written || &written.error().code() != &errc::conflict || seen || tries == most_tries)
            return written;
    }
}

Result<trips::Trip> Service::set(std::int64_t trip_id, const std::vector<std::pair<std::int64_t, Value>>& values,
                                 User user, Seen seen) {
    return rewrite(
        trip_id,
        [&](Value& all) -> Result<void> {
            for (const auto& [id, value] : values)
                all.set(std::to_string(id), value);
            return {};
        },
        user, seen);
}

Result<void> Service::remove(std::int64_t trip_id, std::int64_t attribute_id, User user, Seen seen) {
    const auto attribute = store_.reading<std::optional<Definition>>(
        [&](store::Session& session) { return rows::definition(session, attribute_id); });
    if (attribute && attribute->is_required() && attribute->is_published)
        return Error{errc::conflict, "This attribute is required."_sentence};
    auto rewritten = rewrite(
        trip_id,
        [&](Value& all) -> Result<void> {
            if (!all.erase(std::to_string(attribute_id)))
                return Error{errc::not_found, "The trip has no value for this attribute."_sentence};
            return {};
        },
        user, seen);
    return rewritten ? Result<void>{} : Result<void>{rewritten.error()};
}

Result<std::vector<std::pair<Value, std::int64_t>>> Service::value_counts(std::int64_t attribute_id, bool staff) const {
    using Counted = std::vector<std::pair<Value, std::int64_t>>;
    return store_.reading<Result<Counted>>([&](store::Session& session) -> Result<Counted> {
        const auto attribute = rows::definition(session, attribute_id);
        if (!attribute || !attribute->is_published || (!staff && !attribute->is_shown() && !attribute->is_in_filters()))
            return Error{errc::not_found, "This attribute does not exist."_sentence};
        Counted counted;
        std::map<std::string, std::size_t> at;
        const auto add = [&](const Value& value, std::int64_t count) {
            const auto [found, fresh] = at.emplace(value.dump(), counted.size());
            if (fresh)
                counted.emplace_back(value, 0);
            counted[found->second].second += count;
        };
        for (const auto& [value, count] : rows::value_counts(session, attribute_id, most_values)) {
            if (!value.is_array())
                add(value, count);
            else
                for (const Value& option : value.items())
                    add(option, count);
        }
        std::stable_sort(counted.begin(), counted.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        return counted;
    });
}

}  // namespace svc::catalog::attributes
