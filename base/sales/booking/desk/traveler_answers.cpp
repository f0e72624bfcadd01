// Writes answers of one traveler, as a table of travelers has them, inside the caller's transaction.
#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/desk/repository.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/api/rename_fields.hpp"
#include "shared/core/faults.hpp"

namespace svc::booking {
namespace {

using json::Value;

// A traveler as a PUT of travelers takes it: `fields` has what is stored.
Value sent(const Traveler& traveler, Value fields) {
    Value one = Value::object({{"fields", std::move(fields)}});
    if (traveler.category_id)
        one.set("category_id", *traveler.category_id);
    return one;
}

// The same as it is stored.
Value kept(const Traveler& traveler, Value fields) {
    if (traveler.category_id)
        fields.set("category_id", *traveler.category_id);
    return fields;
}

}  // namespace

Result<void> Desk::edit_answers(store::Transaction& tx, std::int64_t id, std::int64_t traveler_id, const Value& answers,
                                const Actor& actor) {
    // Before they are read: a change that commits meanwhile is not overwritten.
    static_cast<void>(lock_with_seats(tx, id));
    SVC_ASSIGN_OR_RETURN(const auto stored, find_stored(tx, id));
    Edit edit;
    Value travelers = Value::array();
    std::size_t place = 0;
    for (const Traveler& each : stored.travelers) {
        edit.traveler_ids.push_back(each.id);
        if (each.id != traveler_id) {
            travelers.push(sent(each, each.fields));
            continue;
        }
        place = travelers.size() + 1;
        // Answers to an older form stay open to changes; new ones are for what the form asks.
        Value fields = each.fields, others = Value::object();
        for (const auto& [name, answer] : answers.members())
            (fields.find(name) ? fields : others).set(name, answer);
        Value one = sent(each, std::move(fields));
        for (const auto& [name, answer] : others.members())
            one.set(name, answer);
        travelers.push(std::move(one));
    }
    if (place == 0)
        return errc::not_found;
    edit.travelers = std::move(travelers);
    const std::string prefix = "travelers." + std::to_string(place) + ".";
    const auto by_answer = [&](const Error& error) {
        return api::rename_fields(error, [&](const std::string& field) {
            return field.starts_with(prefix) ? field.substr(prefix.size()) : field;
        });
    };
    auto read = read_answers(stored, edit);
    if (!read)
        return by_answer(read.error());
    svc::Faults faults;
    for (const auto& [name, answer] : answers.members())
        if (!read->travelers[place - 1].find(name))
            faults.at(name, "The form of this trip does not ask this."_sentence);
    if (!faults.none())
        return faults.error();
    edit.travelers = std::move(read->travelers);
    if (auto fits = ages_fit(stored, edit); !fits)
        return by_answer(fits.error());
    const auto changed = changed_by_staff(tx, id, edit, actor);
    return changed ? Result<void>() : Result<void>(by_answer(changed.error()));
}

Result<void> Desk::restore_answers(store::Transaction& tx, std::int64_t id, std::int64_t traveler_id,
                                   const Value& answers, const Actor& actor) {
    static_cast<void>(lock_with_seats(tx, id));
    Edit edit;
    Value travelers = Value::array();
    for (const Traveler& each : Repository::travelers(tx, id, &sealing_)) {
        edit.traveler_ids.push_back(each.id);
        travelers.push(kept(each, each.id == traveler_id ? answers : each.fields));
    }
    edit.travelers = std::move(travelers);
    const auto changed = changed_by_staff(tx, id, edit, actor);
    return changed ? Result<void>() : Result<void>(changed.error());
}

Value Desk::answers_of(store::Session& session, std::int64_t traveler_id) const {
    const auto found = TravelerListRepository::traveler(session, traveler_id, &sealing_);
    return found ? found->traveler.fields : Value();
}

}  // namespace svc::booking
