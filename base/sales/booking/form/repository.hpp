// Stores the text of a form once for all bookings that used it.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

class FormRepository {
  public:
    // The id of a form's text, which is stored once.
    static std::int64_t keep_form(store::Transaction& tx, std::string_view digest, const std::string& text,
                                  Instant now);
};

}  // namespace svc::booking
