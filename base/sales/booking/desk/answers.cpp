// Staff's data of travelers, and its check against the form and ages of the trip.
#include <algorithm>

#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/desk/stored_answers.hpp"
#include "base/sales/booking/form/ages.hpp"
#include "base/sales/booking/form/files.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/form/show_if.hpp"
#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "shared/core/faults.hpp"

namespace svc::booking {
namespace {

// Which stored traveler each of an edit is: by its id, else by its place. The number of them for none.
std::vector<std::size_t> places_of(const Edit& edit, std::size_t travelers, const std::vector<Traveler>& stored) {
    const bool are_named =
        std::any_of(edit.traveler_ids.begin(), edit.traveler_ids.end(), [](auto id) { return id > 0; });
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < travelers; ++at) {
        if (!edit.travelers || !are_named) {
            places.push_back(std::min(at, stored.size()));
            continue;
        }
        const std::int64_t id = at < edit.traveler_ids.size() ? edit.traveler_ids[at] : 0;
        const auto found =
            std::find_if(stored.begin(), stored.end(), [&](const Traveler& one) { return id > 0 && one.id == id; });
        places.push_back(static_cast<std::size_t>(found - stored.begin()));
    }
    return places;
}

// The edit as whoever may read all answers would have sent it: a masked one that comes back is the stored one.
Edit unmasked(Edit edit, const Particulars& particulars, const std::vector<Traveler>& stored) {
    edit.contact_data = unmasked_answers(std::move(edit.contact_data), particulars.contact_data);
    edit.emergency = unmasked_answers(std::move(edit.emergency), particulars.emergency_contact);
    if (!edit.travelers || !edit.travelers->is_array())
        return edit;
    const json::Value nobody = json::Value::object();
    const auto places = places_of(edit, edit.travelers->size(), stored);
    for (std::size_t at = 0; at < places.size(); ++at) {
        json::Value& one = edit.travelers->items()[at];
        if (!one.is_object())
            continue;
        const json::Value& known = places[at] < stored.size() ? stored[places[at]].fields : nobody;
        if (one["fields"].is_object())
            one.set("fields", unmasked_answers(one["fields"], known));
        one = unmasked_answers(std::move(one), known);
    }
    return edit;
}

bool has_masked(const json::Value& answers) {
    return answers.is_object() && std::any_of(answers.members().begin(), answers.members().end(), [](const auto& each) {
               return (each.second.is_string() && each.second.text() == api::masked_answer) || has_masked(each.second);
           });
}

// Whether a masked answer may be another person's: travelers without ids are matched by place, and places move when one
// joins or leaves.
bool is_ambiguous(const Edit& edit, const std::vector<Traveler>& stored) {
    const bool are_named =
        std::any_of(edit.traveler_ids.begin(), edit.traveler_ids.end(), [](auto id) { return id > 0; });
    return edit.travelers && edit.travelers->is_array() && !are_named && edit.travelers->size() != stored.size() &&
           std::any_of(edit.travelers->items().begin(), edit.travelers->items().end(), has_masked);
}

// Ignores their order.
bool has_same_members(const json::Value& a, const json::Value& b) {
    return a.size() == b.size() && std::all_of(a.members().begin(), a.members().end(), [&](const auto& each) {
               const json::Value* other = b.find(each.first);
               return other && *other == each.second;
           });
}

json::Value merged(const json::Value& known, const json::Value& sent) {
    json::Value all = known.is_object() ? known : json::Value::object();
    if (sent.is_object())
        for (const auto& [name, value] : sent.members())
            all.set(name, value);
    return all;
}

// Answers that are in neither of `known` and `sent` any more, as `left` has them.
void empty_missing(const json::Value& known, const json::Value& left, json::Value& sent) {
    if (!sent.is_object())
        sent = json::Value::object();
    if (known.is_object())
        for (const auto& [name, value] : known.members())
            if (!left.find(name) && !(value.is_string() && value.text().empty()))
                sent.set(name, "");
    std::vector<std::string> hidden;
    for (const auto& [name, value] : sent.members())
        if (!left.find(name) && !(known.is_object() && known.find(name)))
            hidden.push_back(name);
    for (const std::string& name : hidden)
        sent.erase(name);
    for (auto& [name, value] : sent.members())
        if (!left.find(name))
            value = json::Value("");
}

}  // namespace

Result<Desk::Stored> Desk::find_stored(store::Session& session, std::int64_t id) const {
    auto booking = Repository::find(session, id);
    if (!booking)
        return errc::booking_not_found;
    return Stored{.booking = std::move(*booking),
                  .particulars = Repository::particulars(session, id, &sealing_),
                  .travelers = Repository::travelers(session, id, &sealing_)};
}

Result<Desk::Stored> Desk::find_stored(std::int64_t id) const {
    return parts_.store.reading<Result<Stored>>([&](store::Session& session) { return find_stored(session, id); });
}

namespace {

// What the form asks of a booking whose answers are these.
form::Answers asked_of(const json::Value& config, form::Answers answers, const Booking& booking) {
    answers.contact = merged(answers.contact, json::Value::object({{"first_name", booking.first_name},
                                                                   {"last_name", booking.last_name},
                                                                   {"email", booking.email},
                                                                   {"phone", booking.phone},
                                                                   {"country", booking.country}}));
    form::drop_hidden(config, answers);
    return answers;
}

// Puts back what was stored and hidden already, by a later version of the form: an edit takes nothing away but what it
// hides itself. `sent` has such an answer as it was stored, if at all.
void keep_hidden(const json::Value& known, const json::Value& asked, json::Value& left, json::Value* sent = nullptr) {
    if (!known.is_object())
        return;
    for (const auto& [name, value] : known.members())
        if (!asked.find(name)) {
            left.set(name, value);
            if (sent && sent->is_object() && sent->find(name))
                sent->set(name, value);
        }
}

// Drops the answers sent that the others of the booking hide. Those that the edit does not send count as stored; stored
// travelers who lose an answer by it are written like sent ones.
void drop_hidden(const json::Value& config, const form::Answers& known, form::Answers& sent, const Booking& booking,
                 const Edit& edit, const std::vector<Traveler>& stored) {
    form::Answers whole = sent;
    if (!edit.travelers)
        whole.travelers = known.travelers;
    const std::vector<std::size_t> places = places_of(edit, whole.travelers.size(), stored);
    whole.contact = merged(known.contact, sent.contact);
    whole.emergency = merged(known.emergency, sent.emergency);
    for (const auto& [name, value] : {std::pair("first_name", edit.first_name.value_or(booking.first_name)),
                                      std::pair("last_name", edit.last_name.value_or(booking.last_name)),
                                      std::pair("email", edit.email.value_or(booking.email)),
                                      std::pair("phone", edit.phone.value_or(booking.phone)),
                                      std::pair("country", edit.country.value_or(booking.country))})
        whole.contact.set(name, value);
    form::drop_hidden(config, whole);
    const form::Answers before = asked_of(config, known, booking);
    keep_hidden(known.contact, before.contact, whole.contact, &sent.contact);
    keep_hidden(known.emergency, before.emergency, whole.emergency, &sent.emergency);
    for (std::size_t at = 0; at < whole.travelers.size(); ++at)
        if (const auto place = places[at]; place < known.travelers.size())
            keep_hidden(known.travelers[place], before.travelers[place], whole.travelers.items()[at]);
    // A stored answer that is hidden now is emptied: an edit changes the answers it names.
    empty_missing(known.contact, whole.contact, sent.contact);
    empty_missing(known.emergency, whole.emergency, sent.emergency);
    if (edit.travelers || whole.travelers != known.travelers)
        sent.travelers = std::move(whole.travelers);
}

}  // namespace

void take_travelers(const std::vector<Traveler>& stored, json::Value answers, Edit& edit) {
    if (edit.travelers) {
        edit.travelers = std::move(answers);
        return;
    }
    if (answers.size() == 0)
        return;
    for (std::size_t at = 0; at < answers.size() && at < stored.size(); ++at) {
        if (stored[at].category_id)
            answers.items()[at].set("category_id", *stored[at].category_id);
        edit.traveler_ids.push_back(stored[at].id);
    }
    edit.travelers = std::move(answers);
}

Result<form::Answers> Desk::read_answers(const Stored& stored, const Edit& sent) const {
    if (is_ambiguous(sent, stored.travelers))
        return invalid("travelers", "Send the id of each traveler: a masked answer belongs to one person."_sentence);
    const Edit edit = unmasked(sent, stored.particulars, stored.travelers);
    const Booking& booking = stored.booking;
    form::Answers known{.contact = stored.particulars.contact_data,
                        .emergency = stored.particulars.emergency_contact,
                        .travelers = json::array_of(stored.travelers, [](const Traveler& one) { return one.fields; })};
    const std::int64_t trip = edit.choice.trip_id.value_or(booking.trip_id);
    // As staff see it, of a trip that is not published any more too: another form could hide what is stored.
    auto of_trip = forms_.form_for_staff(trip);
    if (!of_trip)  // the trip is gone
        of_trip = forms_.form(std::nullopt, true);
    if (!of_trip)
        return of_trip.error();
    const json::Value& config = *of_trip;
    auto [taken, all_do] = form::take_answers(config, {.contact = edit.contact_data,
                                                       .emergency = edit.emergency,
                                                       .travelers = edit.travelers.value_or(json::Value()),
                                                       .by_staff = true});
    if (form::has_show_ifs(config))
        drop_hidden(config, known, taken, booking, edit, stored.travelers);
    form::Answers answers = taken;
    answers.today = parts_.settings.zone().date_at(parts_.clock.now());
    answers.travel_date = edit.choice.travel_date.value_or(booking.travel_date);
    if (edit.phone && *edit.phone != booking.phone)
        answers.contact.set("phone", *edit.phone);
    if (edit.country && *edit.country != booking.country)
        answers.contact.set("country", *edit.country);
    svc::Faults faults;
    faults.take(all_do);
    faults.take(form::check(config, answers, known));
    if (const auto files = form::named_files(config, answers, known); !files.empty())
        faults.take(parts_.store.reading<Result<void>>([&](store::Session& session) {
            return form::check_files(files, form::FileRepository::of_booking(session, booking.id));
        }));
    if (!faults.none())
        return faults.error();
    return std::move(taken);
}

Result<void> Desk::ages_fit(const Stored& stored, const Edit& edit) const {
    if (!edit.travelers && !edit.choice.trip_id && !edit.choice.travel_date && !edit.choice.travelers)
        return {};
    const Booking& booking = stored.booking;
    json::Value known = json::Value::array();
    for (const Traveler& each : stored.travelers) {
        json::Value fields = each.fields;
        if (each.category_id)
            fields.set("category_id", *each.category_id);
        known.push(std::move(fields));
    }
    const std::int64_t trip_id = edit.choice.trip_id.value_or(booking.trip_id);
    const Date day = edit.choice.travel_date.value_or(booking.travel_date);
    const bool moves = trip_id != booking.trip_id || day != booking.travel_date;
    const auto trip = parts_.trips.published(trip_id);
    if (!trip)
        return {};
    const json::Value& party = edit.travelers ? *edit.travelers : known;
    json::Value judged = json::Value::array();
    for (std::size_t at = 0; at < party.size(); ++at) {
        const json::Value& each = party.items()[at];
        const bool stays = !moves && at < known.size() &&
                           known.items()[at].text_or("date_of_birth") == each.text_or("date_of_birth") &&
                           known.items()[at].maybe_integer("category_id") == each.maybe_integer("category_id");
        // A traveler who stays keeps their place and is not checked again.
        json::Value known_as = json::Value::object();
        if (const auto category = each.maybe_integer("category_id"))
            known_as.set("category_id", *category);
        judged.push(stays ? std::move(known_as) : each);
    }
    SVC_RETURN_IF_ERROR(form::check_ages(judged, day, trip->age_min, trip->age_max));
    std::map<std::int64_t, std::int64_t> counts = edit.choice.traveler_counts;
    if (!edit.choice.travelers)
        counts = counts_of(booking);
    return form::check_category_ages(judged, counts, form::ages_of(*trip), day, false);
}

// Over those that are there.
bool Desk::store_answers(store::Transaction& tx, std::int64_t id, const Edit& edit) const {
    Particulars known = Repository::particulars(tx, id, &sealing_);
    const json::Value contact_before = known.contact_data, emergency_before = known.emergency_contact;
    for (const auto& [name, answer] : edit.contact_data.members())
        known.contact_data.set(name, answer);
    for (const auto& [name, answer] : edit.emergency.members())
        known.emergency_contact.set(name, answer);
    if (known.contact_data == contact_before && known.emergency_contact == emergency_before)
        return false;
    Repository::set_answers(tx, id, known, sealing_);
    return true;
}

bool Desk::write_travelers(store::Transaction& tx, std::int64_t id, const Edit& edit) const {
    const std::vector<Traveler> known = Repository::travelers(tx, id, &sealing_);
    const auto& travelers = edit.travelers->items();
    const bool same =
        known.size() == travelers.size() &&
        std::equal(known.begin(), known.end(), travelers.begin(), [](const Traveler& was, const json::Value& is) {
            json::Value fields = is;
            fields.erase("category_id");
            return was.category_id == is.maybe_integer("category_id") && has_same_members(was.fields, fields);
        });
    // Travelers with equal data but different rows only differ in their ids.
    bool same_rows = true;
    for (std::size_t at = 0; same && at < edit.traveler_ids.size() && at < known.size(); ++at)
        same_rows = same_rows && (edit.traveler_ids[at] == 0 || edit.traveler_ids[at] == known[at].id);
    if (same && same_rows)
        return false;
    Repository::replace_travelers(tx, id, *edit.travelers, edit.traveler_ids, sealing_);
    return true;
}

}  // namespace svc::booking
