// One booking as pages show it.
#pragma once

#include "base/sales/booking/record/money_terms.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

// A booking's status as its holder reads it, in lists and on its own page. `booking` has status, cancelled_via and
// waitlist_offer.
struct StatusWords {
    std::string status;  // "expired" of a booking that was not paid in time, "offered" of one offered to its holder
    std::string word;
    const char* mark;  // its class
};
bool is_some(const json::Value& amount);  // more or less than nothing
// The lines of a quote or a booking, whose sum is the total: discounts and added tax are among them.
// A tax within the other lines says so.
json::Value price_lines(const json::Value& lines, const std::string& currency, bool tax_is_included,
                        const Format& words);
bool has_line(const json::Value& lines, std::string_view kind);
// How this page's reader sees a booking's money, which is to be paid by that way.
booking::MoneyReader money_reader(const Views& views, const std::string& gateway, const Format& words);
StatusWords status_words_of(const json::Value& booking, const Format& words);
// `root`: the page's own path, below which its documents lie.
json::Value booked_json(const Views& views, PageRequest& visit, const json::Value& booking, const std::string& root);
// voucher, itinerary, invoice, calendar, or the code of a file that answers its form.
View document_of(PageRequest& visit, const json::Value& booking, const std::string& kind);
// Handles the forms of the booking's page except cancelling: pay, load the card fields, book again, add extras and
// answers.
// Nothing: no such action, or `fault` says why it was not done, or the page shows what chosen extras cost.
std::optional<View> act_on(const Views& views, PageRequest& visit, const json::Value& booking, const std::string& root,
                           std::string& fault);
// The page after a form that led nowhere else: 400 with the reason, or 200 where it only asked what extras cost.
void answer_form(View& view, const std::string& fault);
// Whether a gateway's fields stand on our page, made by its own script; and the address of that, empty while nobody has
// declared the gateway's origins.
bool needs_script(std::string_view gateway);
std::string script_of_gateway(const Views& views, std::string_view gateway);
// Where to go on after a booking with a gateway was made: its page of payment, or nothing where it has none.
std::optional<std::string> payment_page(PageRequest& visit, const json::Value& booking, const std::string& gateway,
                                        const std::string& back, std::string& fault);
}  // namespace svc::pages
