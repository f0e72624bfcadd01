// Settings of documents.
#pragma once

#include "base/documents/numbers.hpp"
#include "base/settings/settings.hpp"

namespace svc::documents {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "vat_number",
                      .type = api::text(50),
                      .fresh = "",
                      .says = "The company's tax number, as invoices show it.",
                      .group = "tax"});
    struct Series {
        const char *key, *start, *fresh, *says, *says_start;
    };
    for (const Series& one :
         {Series{"invoice_number_pattern", "invoice_number_start", "INV-{year}-{number:5}",
                 "How invoices are numbered: {year} is the year of issue, {number:5} the running number with five"
                 " digits. Numbers have no gaps; with {year} they begin anew each year.",
                 "The lowest running number of an invoice; a series that is beyond it goes on."},
          Series{"credit_note_number_pattern", "credit_note_number_start", "CRN-{year}-{number:5}",
                 "How credit notes are numbered, as invoices are. The same pattern gives both one series.",
                 "The lowest running number of a credit note; a series that is beyond it goes on."}}) {
        settings.declare({.key = one.key,
                          .type = api::text(60, 1),
                          .fresh = one.fresh,
                          .says = one.says,
                          .group = "tax",
                          .also_checks = check_number_pattern});
        settings.declare({.key = one.start,
                          .type = api::integer(1, 999'999'999),
                          .fresh = 1,
                          .says = one.says_start,
                          .group = "tax"});
    }
}

}  // namespace svc::documents
