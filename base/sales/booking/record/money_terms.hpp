// The one account of a booking's money: what it costs, what is paid, what is due and until when, how, and the rest with
// its day. Pages, e-mails, documents and routes show this and compute none of it themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sales/booking/record/booking.hpp"
#include "base/settings/values/look.hpp"

namespace svc::booking {

struct MoneyTerms {
    // waiting: for seats; unproven: for the proof of an address; over: cancelled or given up, so that nothing is due.
    enum class Stage : std::uint8_t { open, waiting, unproven, over };
    Stage stage = Stage::open;
    Money total, paid, refunded;  // paid: before refunds
    Money due_now, rest;          // `rest`: what is due afterwards; together they are what is owed
    std::optional<Instant> due_by = {};
    std::optional<Date> rest_on = {};
    bool seats_lapse = false;  // unpaid at due_by, the booking ends
    std::string gateway = {};  // by which it is to be paid

    [[nodiscard]] Money owed() const { return due_now + rest; }
};

// Of the booking's own row: without refunds and the deadline (Service::money_terms).
MoneyTerms money_terms_of(const Booking& booking);
json::Value to_json(const MoneyTerms& terms);
std::optional<MoneyTerms> money_terms_from(const json::Value& value);  // nothing: it is none
api::Type money_terms_answer();

// How a reader sees it.
struct MoneyReader {
    std::string locale = "en";
    settings::Look look = {};
    std::string way = {};  // the title of the way of paying; empty: not shown
};
struct MoneyLine {
    std::string kind;  // total, paid, refunded, due, until, way, rest
    std::string label, value;
};
std::vector<MoneyLine> lines_of(const MoneyTerms& terms, const MoneyReader& reader);
// The lines for a template: label, value, and the kind as a flag (is_total).
json::Value to_json(const std::vector<MoneyLine>& lines);
// "USD 108.30 by Thu, 3 Dec, the rest of USD 433.20 by Thu, 31 Dec": one sentence for a choice before booking.
std::string sentence_of(const MoneyTerms& terms, const MoneyReader& reader);
// What a line is for, as people read it: "Private group: 4 travelers, 1 group", where the price is one for a group.
std::string label_of(const Line& line, std::string_view locale);
// A tax within the other amounts: "VAT (19%), included".
std::string included_tax(std::string_view label, std::string_view locale);

}  // namespace svc::booking
