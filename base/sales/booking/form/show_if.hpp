// Fields that are asked by the answer to another one (show_if, spec 2.8, docs/rules.md on the booking form).
//
//     {"id": "depth", "type": "number", "show_if": {"field": "dives", "operator": "is", "values": ["yes"]}}
//
// `section` of a show_if is the field's own section, or contact_form. `operator` is is, is_not, is_one_of, is_filled or
// is_checked. A field whose question is not asked itself is not asked either.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sales/booking/form/form.hpp"

namespace svc::booking::form {

// The valid members of a field's show_if; null: it has none, and is always asked.
json::Value clean_show_if(const json::Value& given);
// Rejects circles, fields that the form does not ask, and answers of later sections. A fault is named after the field:
// contact_form.fields.depth.show_if, traveler_form.conditions.2.fields.depth.show_if (the second condition). Of a form
// as it was sent; the locked fields of the standard form are in every section.
Result<void> check_show_ifs(const json::Value& form, const json::Value& standard_form);

// Which fields of a section are asked, by the answers so far. Refers to its arguments. One thread.
class Asked {
  public:
    // `contact`: of the section contact_form, whose answers the others may follow; null: this is that section.
    // `is_lead`: false for travelers behind the first, who are not asked what applies to the lead.
    Asked(const json::Value& section, const json::Value& answers, const Asked* contact = nullptr, bool is_lead = true);

    // Whether the show_if of this field of the section holds; true without one. Says nothing of `enabled`.
    [[nodiscard]] bool shows(const json::Value& field) const;

  private:
    enum class Known : std::uint8_t { unknown, asking, yes, no };
    [[nodiscard]] bool asks(std::size_t at) const;
    [[nodiscard]] bool holds(const json::Value& rule) const;

    const json::Value& section_;
    const json::Value& answers_;
    const Asked* contact_;
    bool is_lead_;
    mutable std::vector<Known> known_ = {};  // by the place of the field; empty until the first show_if
};

// Whether any field of the form has a show_if.
bool has_show_ifs(const json::Value& form);
// Drops answers to fields that are not asked by the answers given. `answers` has the whole contact: its own members
// beside the answers of contact_form.
void drop_hidden(const json::Value& form, Answers& answers);

}  // namespace svc::booking::form
