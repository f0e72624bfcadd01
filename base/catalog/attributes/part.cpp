// A trip's values as a whole: values that are not sent are removed.
#include "base/catalog/attributes/part.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/catalog/attributes/filter.hpp"
#include "base/catalog/attributes/hooks.hpp"
#include "base/catalog/attributes/repository.hpp"
#include "base/catalog/trips/record/search_text.hpp"
#include "shared/core/faults.hpp"

namespace svc::catalog::attributes {
namespace {

using json::Value;

constexpr std::size_t most_values_of_a_trip = 1000;  // as many as there can be attributes

std::int64_t id_of(const std::string& name) {
    std::int64_t id = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), id);
    return failure == std::errc{} && end == name.data() + name.size() ? id : 0;
}

class AttributesPart final : public trips::Part {
  public:
    explicit AttributesPart(const ShownIds& shown) : shown_(shown) {}

    [[nodiscard]] std::string_view name() const override { return "attributes"; }
    [[nodiscard]] api::Type body_type() const override {
        return api::map(api::anything(), most_values_of_a_trip).or_null();
    }
    [[nodiscard]] api::Type answer_type() const override { return api::map(api::anything(), most_values_of_a_trip); }
    [[nodiscard]] bool in_rows() const override { return true; }
    [[nodiscard]] Value none() const override { return Value::object(); }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        std::int64_t trip_id = 0;
        Value values = Value::object();
        const auto hand_over = [&] {
            if (values.size() > 0)
                take(trip_id, std::move(values));
            values = Value::object();
        };
        rows::each(session, trip_ids, [&](rows::AttributeValue row) {
            if (row.trip_id != trip_id)
                hand_over();
            trip_id = row.trip_id;
            values.set(std::to_string(row.attribute.id), std::move(row.value));
        });
        hand_over();
    }

    [[nodiscard]] std::string words(store::Session& session, std::int64_t trip_id) const override {
        std::string texts;
        rows::each(session, std::span(&trip_id, 1), [&](const rows::AttributeValue& row) {
            if (row.attribute.is_searchable())
                trips::add_texts(texts, row.value);
        });
        return texts;
    }

    [[nodiscard]] std::string_view filter_description() const override {
        return "attributes[12]=easy: trips with this value of a filterable attribute, any of several when repeated; "
               "attributes[12][min] and [max] for numbers and dates.";
    }

    void add_facts(const Value& staff, std::vector<trips::TripFact>& facts) const override {
        const auto ids = shown_.now();
        if (ids->filters.empty() || !staff.is_object())
            return;
        for (const auto& [name, value] : staff.members())
            if (const Definition* attribute = ids->filter(id_of(name)))
                attributes::add_facts(*attribute, value, facts);
    }

    [[nodiscard]] Result<std::vector<trips::FactFilter>> filters_for(const Value& filters) const override {
        const auto ids = shown_.now();
        std::vector<trips::FactFilter> wishes;
        Faults faults;
        for (const auto& [name, value] : filters.members()) {
            const std::string field = "attributes." + name;
            const Definition* attribute = ids->filter(id_of(name));
            if (!attribute) {
                faults.at(field, "This attribute is not filterable."_sentence);
                continue;
            }
            auto condition = filter_of(*attribute, value, field);
            if (condition && *condition)
                wishes.push_back(std::move(**condition));
            else if (!condition)
                faults.at(condition.error().fields().front().field, condition.error().message());
        }
        SVC_RETURN_IF_ERROR(faults.outcome());
        return wishes;
    }

    void add_words(const Value& answered, std::string& words) const override {
        if (!answered.is_object())
            return;
        const auto ids = shown_.now();
        for (const auto& [name, value] : answered.members())
            if (!std::binary_search(ids->unsearched.begin(), ids->unsearched.end(), id_of(name)))
                trips::add_texts(words, value);
    }

    Result<void> fit_to_appear(store::Session& session, const trips::Trip& trip) const override {
        Faults faults;
        for (const auto& [id, name] : rows::missing(session, trip.id))
            faults.at("attributes." + std::to_string(id),
                      "A published trip says something about \"{name}\"."_sentence.with("name", name));
        return faults.outcome();
    }

    [[nodiscard]] Value public_value(const Value& staff) const override {
        const auto ids = shown_.now();
        Value values = Value::object();
        for (const auto& [name, value] : staff.members())
            if (std::binary_search(ids->shown.begin(), ids->shown.end(), id_of(name)))
                values.set(name, value);
        return values;
    }

    [[nodiscard]] Result<void> check(store::Session& session, const trips::Trip& trip, const Value& value,
                                     const Writing& writing) const override {
        const auto checked = checked_values(session, trip, value, writing, values_of(session, trip.id));
        return checked ? Result<void>{} : checked.error();
    }

    Result<void> write(store::Transaction& tx, const trips::Trip& trip, const Value& value,
                       const Writing& writing) const override {
        const auto before = values_of(tx, trip.id);
        const auto report = [&] {
            if (writing.hooks)
                report_changes(tx, *writing.hooks, trip.id, before);
        };
        // Unchanged, even if the attributes changed since.
        if (writing.copy_of && value.is_object()) {
            rows::copy(tx, writing.copy_of->id, trip.id, writing.now);
            report();
            return {};
        }
        SVC_ASSIGN_OR_RETURN(const auto checked, checked_values(tx, trip, value, writing, before));
        rows::remove_others(tx, trip.id, checked.all);
        for (const auto& [id, typed] : checked.changed)
            rows::put(tx, trip.id, id, typed, writing.now);
        report();
        return {};
    }

  private:
    using Kept = std::optional<std::pair<std::int64_t, Typed>>;
    using ById = std::map<std::int64_t, Value>;
    struct CheckedValues {
        std::vector<std::pair<std::int64_t, Typed>> changed;
        std::vector<std::int64_t> all;  // ids of the attributes with a value, the unchanged ones included
    };

    // Rejects invalid values, or leaves them out when the write is lenient.
    static Result<CheckedValues> checked_values(store::Session& session, const trips::Trip& trip, const Value& value,
                                                const Writing& writing, const ById& before) {
        Faults faults;
        CheckedValues checked;
        if (value.is_object())
            for (const auto& [name, given] : value.members()) {
                // An unchanged value stays valid, even if the attribute would now reject it, for example because an
                // option was removed.
                if (const auto known = before.find(id_of(name)); known != before.end() && known->second == given) {
                    checked.all.push_back(known->first);
                    continue;
                }
                auto one = one_value(session, trip.id, name, given);
                if (one && *one)
                    checked.changed.push_back(std::move(**one));
                else if (!one && writing.lenient && writing.left_out)
                    writing.left_out->push_back("attributes." + name);
                else if (!one && !writing.lenient)
                    for (const auto& [field, sentence] : one.error().fields())
                        faults.at(field, sentence);
            }
        SVC_RETURN_IF_ERROR(faults.outcome());
        for (const auto& [id, typed] : checked.changed)
            checked.all.push_back(id);
        return checked;
    }

    static ById values_of(store::Session& session, std::int64_t trip_id) {
        ById values;
        rows::each(session, std::span(&trip_id, 1),
                   [&](rows::AttributeValue row) { values.emplace(row.attribute.id, std::move(row.value)); });
        return values;
    }

    static void report_changes(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t trip_id, const ById& before) {
        const ById after = values_of(tx, trip_id);
        Value ids = Value::array(), values = Value::object();
        const auto changed = [&](const hooks::Action& what, std::int64_t id, const Value& emitted, const Value& now) {
            hooks.emit(tx, what, {trip_id, id, emitted});
            ids.push(id);
            values.set(std::to_string(id), now);
        };
        for (const auto& [id, value] : after)
            if (const auto known = before.find(id); known == before.end() || known->second != value)
                changed(trip_attribute_set, id, value, value);
        for (const auto& [id, value] : before)
            if (!after.contains(id))
                changed(trip_attribute_removed, id, value, Value());
        if (ids.size() > 1)
            hooks.emit(tx, trip_attributes_bulk_updated, {trip_id, std::move(ids), std::move(values)});
    }

    // Empty for an empty value. Values of an attribute that was unpublished remain.
    static Result<Kept> one_value(store::Session& session, std::int64_t trip_id, const std::string& name,
                                  const Value& given) {
        const std::string field = "attributes." + name;
        const auto attribute = rows::definition(session, id_of(name));
        if (!attribute || (!attribute->is_published && !rows::has_value(session, trip_id, attribute->id)))
            return invalid(field, "This attribute does not exist."_sentence);
        if (is_empty(given)) {
            if (attribute->is_required())
                return invalid(field, "This attribute is required."_sentence);
            return Kept{};
        }
        SVC_ASSIGN_OR_RETURN(auto value, typed(*attribute, given, field));
        if (value.file && !rows::has_media(session, *value.file))
            return invalid(field, "This file does not exist."_sentence);
        return Kept{std::pair(attribute->id, std::move(value))};
    }

    const ShownIds& shown_;
};

}  // namespace

const Definition* ShownIds::Ids::filter(std::int64_t id) const {
    const auto found = std::lower_bound(filters.begin(), filters.end(), id,
                                        [](const Definition& each, std::int64_t sought) { return each.id < sought; });
    return found != filters.end() && found->id == id ? &*found : nullptr;
}

void ShownIds::reload(store::Store& store) {
    Ids known;
    store.read([&](store::Session& session) {
        known = {.shown = rows::shown_ids(session), .unsearched = {}, .filters = {}};
        for (Definition& each : rows::definitions(session)) {
            if (!each.is_searchable())
                known.unsearched.push_back(each.id);
            if (each.is_in_filters())
                known.filters.push_back(std::move(each));
        }
    });
    auto ids = std::make_shared<const Ids>(std::move(known));
    const std::lock_guard lock(swapping_);
    ids_.swap(ids);
}

std::shared_ptr<const ShownIds::Ids> ShownIds::now() const {
    const std::lock_guard lock(swapping_);
    return ids_;
}

std::shared_ptr<const trips::Part> make_part(const ShownIds& shown) { return std::make_shared<AttributesPart>(shown); }

}  // namespace svc::catalog::attributes
