// Writing all days of a trip at once: those that are known stay the same rows.
#include "base/catalog/itineraries/part.hpp"

#include <algorithm>

#include "base/catalog/itineraries/emit_changes.hpp"
#include "base/catalog/itineraries/repository.hpp"
#include "base/catalog/itineraries/rules.hpp"
#include "base/catalog/itineraries/wire.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::itineraries {
namespace {

std::string place_of(std::size_t day) { return "itinerary_days." + std::to_string(day + 1) + "."; }

// The known one that the body means, by its id; taken out, so that it is meant once.
template <class List, class Id>
auto take_known(List& known, std::optional<std::int64_t> id, Id id_of) -> std::optional<typename List::value_type> {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return id_of(one) == id; });
    if (!id || found == known.end())
        return std::nullopt;
    auto one = std::move(*found);
    known.erase(found);
    return one;
}

class Days : public trips::Part {
  public:
    explicit Days(const media::Service& media) : media_(media) {}

    [[nodiscard]] std::string_view name() const override { return "itinerary_days"; }
    [[nodiscard]] api::Type body_type() const override;
    [[nodiscard]] api::Type answer_type() const override;
    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override;
    [[nodiscard]] json::Value public_value(const json::Value& staff) const override;
    [[nodiscard]] Result<void> check(store::Session& session, const trips::Trip& trip, const json::Value& value,
                                     const Writing& writing) const override;
    Result<void> write(store::Transaction& tx, const trips::Trip& trip, const json::Value& value,
                       const Writing& writing) const override;
    Result<void> fit_to_publish(store::Session& session, const trips::Trip& trip) const override;

  private:
    struct DayUpdates {
        std::vector<DayPlan> days, removed_days;
        std::vector<std::int64_t> removed_entries;  // of days that stay
    };
    static Result<DayUpdates> day_updates(store::Session& session, const trips::Trip& trip, const json::Value& value,
                                          const Writing& writing, const std::vector<DayPlan>& stored);

    const media::Service& media_;
};

api::Type Days::body_type() const {
    const api::Schema known{{.name = "id", .type = api::id().or_null()}};
    return api::list(api::object(
                         "ItineraryDayInput",
                         known.plus({{.name = "day_number", .type = api::integer(1, most_days), .required = true},
                                     {.name = "title", .type = api::text(255)},
                                     {.name = "description", .type = api::raw_text(20'000)},
                                     {.name = "image_id", .type = api::id().or_null()},
                                     {.name = "entries",
                                      .type = api::list(api::object("ItineraryEntryInput", known.plus(entry_fields())),
                                                        most_entries)}})),
                     most_days)
        .or_null();
}

api::Type Days::answer_type() const {
    return api::list(api::object("ItineraryDay", {{.name = "id", .type = api::id()},
                                                  {.name = "day_number", .type = api::integer(1)},
                                                  {.name = "title", .type = api::text(255)},
                                                  {.name = "description", .type = api::text(400'000)},
                                                  {.name = "image_id", .type = api::id().or_null()},
                                                  {.name = "image_url", .type = api::text(2000).or_null()},
                                                  {.name = "entries", .type = api::list(entry_answer())}}));
}

void Days::read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const {
    rows::read(session, trip_ids, [&](std::int64_t trip_id, const std::vector<DayPlan>& days) {
        auto list = json::Value::array();
        for (const DayPlan& plan : days) {
            auto entries = json::Value::array();
            for (const Entry& entry : plan.entries)
                entries.push(to_json(plan.day, &entry, media_));
            const auto& image = plan.day.image_id;
            list.push(json::Value::object({{"id", plan.day.id},
                                           {"day_number", plan.day.number},
                                           {"title", plan.day.title},
                                           {"description", plan.day.description},
                                           {"image_id", image},
                                           {"image_url", image ? json::Value(media_.url_of(*image)) : json::Value()},
                                           {"entries", std::move(entries)}}));
        }
        take(trip_id, std::move(list));
    });
}

// Drafts are staff's.
json::Value Days::public_value(const json::Value& staff) const {
    json::Value days = staff;
    for (auto& day : days.items()) {
        auto entries = json::Value::array();
        for (const auto& entry : day["entries"].items())
            if (entry.text_or("status") == "publish")
                entries.push(entry);
        day.set("entries", std::move(entries));
    }
    return days;
}

// The itinerary as it will be: known days and entries keep their ids, new ones have id 0.
Result<Days::DayUpdates> Days::day_updates(store::Session& session, const trips::Trip& trip, const json::Value& value,
                                           const Writing& writing, const std::vector<DayPlan>& stored) {
    const std::vector<DayPlan> own = writing.copy_of ? plan_of(session, writing.copy_of->id) : stored;
    const json::Array none;
    const json::Array& sent = value.is_null() ? none : value.items();
    DayUpdates update{.days = {}, .removed_days = stored, .removed_entries = {}};
    for (std::size_t at = 0; at < sent.size(); ++at) {
        const json::Value& body = sent[at];
        const Strictness strictness{place_of(at), writing.lenient ? writing.left_out : nullptr, &own};
        const auto number = body["day_number"].integer();
        if (std::any_of(update.days.begin(), update.days.end(),
                        [&](const DayPlan& plan) { return plan.day.number == number; }))
            return invalid(strictness.before + "day_number", "The trip already has this day."_sentence);
        DayPlan plan = take_known(update.removed_days, body.maybe_integer("id"), [](const DayPlan& one) {
                           return one.day.id;
                       }).value_or(DayPlan{});
        DayChange change = day_change(body, true);
        change.number = number;
        if (plan.day.id != 0 && plan.day.title == "Day " + std::to_string(plan.day.number) && !change.title)
            change.title = "";
        SVC_ASSIGN_OR_RETURN(auto day, ready(session, trip, plan.day, change, strictness));
        DayPlan next{std::move(day), {}};
        if (const json::Value& entries = body["entries"]; entries.is_array()) {
            for (std::size_t i = 0; i < entries.size(); ++i) {
                Strictness inner = strictness;
                inner.before += "entries." + std::to_string(i + 1) + ".";
                SVC_ASSIGN_OR_RETURN(auto wished, entry_change(entries[i], inner.before));
                wished.order = static_cast<std::int64_t>(i);
                auto old =
                    take_known(plan.entries, entries[i].maybe_integer("id"), [](const Entry& one) { return one.id; });
                SVC_ASSIGN_OR_RETURN(auto entry, ready(session, trip, old ? std::move(*old) : Entry{}, wished, inner));
                next.entries.push_back(std::move(entry));
            }
            for (const Entry& left : plan.entries)
                update.removed_entries.push_back(left.id);
        }
        update.days.push_back(std::move(next));
    }
    return update;
}

Result<void> Days::check(store::Session& session, const trips::Trip& trip, const json::Value& value,
                         const Writing& writing) const {
    const auto update = day_updates(session, trip, value, writing, plan_of(session, trip.id));
    return update ? Result<void>{} : update.error();
}

Result<void> Days::write(store::Transaction& tx, const trips::Trip& trip, const json::Value& value,
                         const Writing& writing) const {
    const std::vector<DayPlan> stored = plan_of(tx, trip.id);
    SVC_ASSIGN_OR_RETURN(auto update, day_updates(tx, trip, value, writing, stored));
    for (const DayPlan& plan : update.removed_days)
        rows::remove_day(tx, plan.day.id);
    for (const std::int64_t id : update.removed_entries)
        rows::remove_entry(tx, id);
    rows::set_aside(tx, trip.id);  // so that days can exchange their numbers
    for (DayPlan& plan : update.days) {
        plan.day.updated_at = writing.now;
        if (plan.day.id != 0) {
            rows::update_day(tx, plan.day);
        } else {
            plan.day.created_at = writing.now;
            plan.day.id = rows::insert_day(tx, plan.day);
        }
        for (Entry& entry : plan.entries) {
            entry.day_id = plan.day.id;
            entry.updated_at = writing.now;
            if (entry.id != 0) {
                rows::update_entry(tx, entry);
            } else {
                entry.created_at = writing.now;
                rows::insert_entry(tx, entry);
            }
        }
    }
    if (writing.hooks)
        emit_changes(tx, *writing.hooks, trip.id, stored);
    return {};
}

Result<void> Days::fit_to_publish(store::Session& session, const trips::Trip& trip) const {
    if (rows::highest_day(session, trip.id) <= trip.length())
        return {};
    return invalid("itinerary_days", "The itinerary has days beyond day {length}, the trip's last day."_sentence.with(
                                         "length", trip.length()));
}

}  // namespace

std::shared_ptr<const trips::Part> make_part(const media::Service& media) { return std::make_shared<Days>(media); }

}  // namespace svc::catalog::itineraries
