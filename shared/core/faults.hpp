// Collects every field at fault, so that a form shows them all at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shared/core/result.hpp"

namespace svc {

class Faults {
  public:
    void at(std::string field, std::string sentence) { all_.push_back({std::move(field), std::move(sentence)}); }
    [[nodiscard]] bool none() const { return all_.empty(); }
    // svc_validation_error; only if there are faults.
    [[nodiscard]] Error error() const {
        Error error{errc::validation_error, all_.at(0).sentence};
        for (const FieldError& each : all_)
            error.at(each.field, each.sentence);
        return error;
    }

  private:
    std::vector<FieldError> all_;
};

}  // namespace svc
