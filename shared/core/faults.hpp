// Collects every field at fault, so that a form shows them all at once.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "shared/core/result.hpp"

namespace svc {

class Faults {
  public:
    // The error has the code and the sentence of the first fault.
    void at(std::string field, Sentence sentence, const ErrorCode& code = errc::validation_error) {
        if (all_.empty())
            code_ = &code;
        all_.push_back({std::move(field), std::move(sentence)});
    }
    // Those of a check, but for fields that have one already: a field says one sentence. A code that tells more than
    // "invalid" is of a fault that stands alone.
    void take(const Result<void>& checked) {
        if (checked)
            return;
        const ErrorCode* code = &checked.error().code();
        code_ = all_.empty() || code == code_ ? code : &errc::validation_error;
        for (const FieldError& fault : checked.error().fields())
            if (std::none_of(all_.begin(), all_.end(), [&](const FieldError& one) { return one.field == fault.field; }))
                all_.push_back(fault);
    }
    [[nodiscard]] bool none() const { return all_.empty(); }
    // Only if there are faults.
    [[nodiscard]] Error error() const {
        Error error{*code_, all_.at(0).sentence};
        for (const FieldError& each : all_)
            error.at(each.field, each.sentence);
        return error;
    }
    [[nodiscard]] Result<void> outcome() const { return none() ? Result<void>() : error(); }

  private:
    const ErrorCode* code_ = &errc::validation_error;
    std::vector<FieldError> all_;
};

}  // namespace svc
