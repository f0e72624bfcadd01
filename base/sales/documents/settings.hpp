// Settings of documents.
#pragma once

#include "base/sales/documents/numbers.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::documents {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "vat_number",
                      .type = api::text(50),
                      .initial = "",
                      .help = "The company's tax number on invoices.",
                      .group = "tax"});
    struct Series {
        const char *key, *start, *initial, *help, *start_help;
    };
    for (const Series& one :
         {Series{"invoice_number_pattern", "invoice_number_start", "INV-{year}-{number:5}",
                 "How invoices are numbered: {year} is the year of issue, {number:5} the running number with five"
                 " digits. Numbers have no gaps; with {year} they begin anew each year.",
                 "Lowest invoice number; a series that is already higher continues."},
          Series{"credit_note_number_pattern", "credit_note_number_start", "CRN-{year}-{number:5}",
                 "Number pattern of credit notes, as for invoices. The same pattern uses one common series.",
                 "Lowest credit note number; a series that is already higher continues."}}) {
        settings.declare({.key = one.key,
                          .type = api::text(60, 1),
                          .initial = one.initial,
                          .help = one.help,
                          .group = "tax",
                          .also_checks = check_number_pattern});
        settings.declare({.key = one.start,
                          .type = api::integer(1, 999'999'999),
                          .initial = 1,
                          .help = one.start_help,
                          .group = "tax"});
    }
}

}  // namespace svc::documents
