// Answers that are sealed at rest, as callers may read them: masked for staff without the right to them.
#pragma once

#include "shared/api/masked_answers.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

// Whether an answer is masked for staff without the right: by its field, or because it names a file.
bool is_masked_for_staff(std::string_view field_id, const json::Value& answer);
// Answers by field id, with the mask in place of those.
json::Value masked_answers(json::Value answers);

// -- wire.hpp's objects, as this caller reads them
json::Value booking_for(const api::Caller& caller, json::Value booking);
json::Value traveler_for(const api::Caller& caller, json::Value traveler);

// Answers without those: for e-mails, whose copies have other readers.
json::Value without_sealed(json::Value answers);
// Answers that were sent, with the stored one in place of each mask. Where nothing is stored, the mask is no answer.
json::Value unmasked_answers(json::Value sent, const json::Value& stored);

}  // namespace svc::booking
