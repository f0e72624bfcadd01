// Settings of documents.
#pragma once

#include "base/settings/settings.hpp"

namespace svc::documents {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "vat_number",
                      .type = api::text(50),
                      .fresh = "",
                      .says = "The company's tax number, as invoices show it.",
                      .group = "tax"});
}

}  // namespace svc::documents
