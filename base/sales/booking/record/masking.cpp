// Tells masked answers by their fields, and files by their codes.
#include "base/sales/booking/record/masking.hpp"

#include <string>
#include <vector>

#include "shared/core/sensitive.hpp"

namespace svc::booking {
namespace {

using json::Value;

// A file's code, such as "file-7gk2m9qxa4tb.pdf": the file is sealed, and so is that there is one.
bool names_file(const Value& answer) {
    constexpr std::size_t before_ending = 17;
    return answer.is_string() && answer.text().starts_with("file-") && answer.text().find('.') == before_ending;
}

bool is_empty(const Value& answer) { return answer.is_null() || (answer.is_string() && answer.text().empty()); }

}  // namespace

bool is_masked_for_staff(std::string_view field_id, const Value& answer) {
    return !is_empty(answer) && (is_sensitive(field_id) || names_file(answer));
}

Value masked_answers(Value answers) {
    if (answers.is_object())
        for (auto& [name, answer] : answers.members())
            if (is_masked_for_staff(name, answer))
                answer = Value(std::string(api::masked_answer));
    return answers;
}

Value booking_for(const api::Caller& caller, Value booking) {
    if (api::may_read_sealed(caller))
        return booking;
    for (const char* section : {"contact_data", "emergency_contact"})
        if (booking.find(section))
            booking.set(section, masked_answers(booking[section]));
    if (const Value* travelers = booking.find("travelers"); travelers && travelers->is_array())
        booking.set("travelers",
                    json::array_of(travelers->items(), [&](const Value& each) { return traveler_for(caller, each); }));
    return booking;
}

Value traveler_for(const api::Caller& caller, Value traveler) {
    if (!api::may_read_sealed(caller) && traveler["fields"].is_object())
        traveler.set("fields", masked_answers(traveler["fields"]));
    return traveler;
}

Value without_sealed(Value answers) {
    if (!answers.is_object())
        return answers;
    Value open = Value::object();
    for (auto& [name, answer] : answers.members())
        if (!is_masked_for_staff(name, answer))
            open.set(name, std::move(answer));
    return open;
}

Value unmasked_answers(Value sent, const Value& stored) {
    if (!sent.is_object())
        return sent;
    std::vector<std::string> unknown;
    for (auto& [name, answer] : sent.members()) {
        if (!answer.is_string() || answer.text() != api::masked_answer)
            continue;
        const Value* known = stored.is_object() ? stored.find(name) : nullptr;
        if (known)
            answer = *known;
        else
            unknown.push_back(name);
    }
    for (const std::string& name : unknown)
        sent.erase(name);
    return sent;
}

}  // namespace svc::booking
