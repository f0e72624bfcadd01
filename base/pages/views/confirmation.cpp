// A booking after it was made: what happens next, its documents, paying the rest, cancelling. The same for guests, by
// the token that their browser or their mail has, and for accounts.
#include <algorithm>

#include "base/pages/repository.hpp"
#include "base/pages/views/booked.hpp"

namespace svc::pages {
namespace {

using json::Value;

bool is_some(const Value& amount) {
    return amount.is_number() && amount.number_text().find_first_of("123456789") != std::string::npos;
}

struct Said {
    const char *heading, *text, *mark, *word;
};

// The one sentence of what happens next.
Said said_of(const Value& booking) {
    const std::string status = booking.text_or("status");
    if (status == "pending_verification")
        return {"One more step: confirm your e-mail address",
                "We have sent you a link. Your seats are yours once you have opened it; until then nothing is final.",
                "svc-warn", "Waiting for your confirmation"};
    if (status == "waitlist")
        return {"You are on the waitlist", "We write to you as soon as seats come free. Until then nothing is due.",
                "svc-warn", "Waitlist"};
    if (status == "confirmed")
        return {"Your trip is booked",
                "We look forward to seeing you. Everything you need is below and in your e-mail.", "svc-good",
                "Confirmed"};
    if (status == "completed")
        return {"Thank you for travelling with us", "We hope that you came home with good memories.", "svc-good",
                "Completed"};
    if (status == "cancelled" || status == "refunded")
        return {"This booking is cancelled", "Nothing more is due. What is paid back, you find below.", "svc-bad",
                "Cancelled"};
    if (status == "expired")
        return {"This booking has expired",
                "It was not paid in time, so its seats went back on sale. Nothing more is due; book again whenever you"
                " like.",
                "svc-bad", "Expired"};
    return {"Thank you, we have your booking", "We confirm it by e-mail as soon as it is settled.", "svc-warn",
            "Received"};
}

Value documents_of(const Value& booking, const std::string& root) {
    const std::string status = booking.text_or("status");
    Value list = Value::array();
    const auto add = [&](const char* kind, const char* label) {
        list.push(Value::object({{"label", label}, {"url", root + "/documents/" + kind}}));
    };
    if (status == "confirmed" || status == "completed" || booking.text_or("payment_status") == "paid") {
        add("voucher", "Voucher (PDF)");
        add("itinerary", "Itinerary (PDF)");
    }
    if (status == "confirmed" || status == "completed" || status == "pending")
        add("invoice", "Invoice (PDF)");
    if (status == "confirmed" || status == "pending")
        list.push(Value::object({{"label", "Add to your calendar"}, {"url", root + "/documents/calendar"}}));
    return list;
}

std::string ical_text(std::string text) {
    std::string out;
    for (const char c : text)
        if (c == '\n')
            out += "\\n";
        else if (c == ',' || c == ';' || c == '\\')
            (out += '\\') += c;
        else if (c != '\r')
            out += c;
    return out;
}

std::string compact(std::string day) {
    std::erase(day, '-');
    return day;
}

// The trip's days as one event of a calendar.
View calendar(const Value& booking, const std::string& host) {
    const auto last = Date::parse(booking.text_or("end_date"));
    const std::string first = booking.text_or("travel_date"), after = last ? last->plus_days(1).text() : first;
    View view;
    view.raw = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//svc//booking//EN\r\nBEGIN:VEVENT\r\nUID:" +
               booking.text_or("reference") + "@" + host +
               "\r\nDTSTAMP:" + compact(booking.text_or("created_at").substr(0, 10)) +
               "T000000Z\r\nDTSTART;VALUE=DATE:" + compact(first) + "\r\nDTEND;VALUE=DATE:" + compact(after) +
               "\r\nSUMMARY:" + ical_text(booking.text_or("trip_title")) +
               "\r\nDESCRIPTION:" + ical_text("Booking " + booking.text_or("reference")) +
               "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    view.content_type = "text/calendar; charset=utf-8";
    view.headers.emplace_back("Content-Disposition",
                              "attachment; filename=\"" + booking.text_or("reference") + ".ics\"");
    return view;
}

}  // namespace

Value booked_json(const Views& views, Visit& visit, const Value& booking, const std::string& root) {
    const std::string currency = booking.text_or("currency");
    const Said said = said_of(booking);
    const Wording& words = visit.words;
    Value model = Value::object({{"reference", booking["reference"]},
                                 {"heading", said.heading},
                                 {"text", said.text},
                                 {"mark", said.mark},
                                 {"status", said.word},
                                 {"title", booking["trip_title"]},
                                 {"trip_url", views.path({views.bases().trip, booking.text_or("trip_slug")})},
                                 {"day", words.day(booking.text_or("travel_date"))},
                                 {"time", words.time(booking.text_or("departure_time"))},
                                 {"people", booking["travelers_count"]},
                                 {"one_person", booking.maybe_integer("travelers_count") == 1},
                                 {"email", booking["customer_email"]},
                                 {"name", booking["customer_name"]},
                                 {"total", words.amount(booking["total"], currency)},
                                 {"paid", words.amount(booking["amount_paid"], currency)},
                                 {"due", words.amount(booking["amount_due"], currency)},
                                 {"root", root}});
    if (const std::string end = booking.text_or("end_date"); !end.empty() && end != booking.text_or("travel_date"))
        model.set("end", words.day(end));
    Value lines = Value::array();
    for (const Value& each : booking["lines"].is_array() ? booking["lines"].items() : json::Array{})
        lines.push(
            Value::object({{"label", (each["quantity"].is_number() ? each["quantity"].number_text() + " × " : "") +
                                         each.text_or("label")},
                           {"amount", words.amount(each["amount"], currency)}}));
    if (is_some(booking["discount_amount"]))
        lines.push(Value::object({{"label", "Discount " + booking.text_or("discount_code")},
                                  {"amount", "−" + words.amount(booking["discount_amount"], currency)}}));
    if (is_some(booking["tax_amount"]))
        lines.push(
            Value::object({{"label", booking.maybe_boolean("tax_inclusive").value_or(false) ? "Tax, included" : "Tax"},
                           {"amount", words.amount(booking["tax_amount"], currency)}}));
    model.set("lines", std::move(lines));
    model.set("is_paid", is_some(booking["amount_paid"]));
    const std::string status = booking.text_or("status");
    const bool is_live = status == "pending" || status == "confirmed";
    model.set("is_due", is_live && is_some(booking["amount_due"]));
    if (const std::string until = booking.text_or("expires_at"); is_live && !until.empty())
        model.set("pay_until", words.moment(until));
    model.set("instructions", booking["payment_instructions"]);
    Value travelers = Value::array();
    for (const Value& each : booking["travelers"].is_array() ? booking["travelers"].items() : json::Array{})
        travelers.push(each["fields"].text_or("first_name") + " " + each["fields"].text_or("last_name"));
    model.set("travelers", std::move(travelers));
    model.set("documents", documents_of(booking, root));
    model.set("has_documents", model["documents"].size() > 0);
    if (is_live && is_some(booking["amount_due"])) {
        const Answered gateways = visit.get("/payment/gateways");
        Value online = Value::array();
        for (const Value& each :
             gateways.data()["gateways"].is_array() ? gateways.data()["gateways"].items() : json::Array{})
            if (!each.maybe_boolean("is_offline").value_or(true))
                online.push(Value::object({{"id", each["id"]},
                                           {"title", each["title"]},
                                           {"text", each["description"]},
                                           {"needs_script", each.text_or("id") != "paypal"},
                                           {"selected", online.size() == 0}}));
        model.set("has_online", online.size() > 0);
        model.set("gateways", std::move(online));
    }
    return model;
}

View document_of(Visit& visit, const Value& booking, const std::string& kind, const std::string& host) {
    const std::string id = std::to_string(booking["id"].integer());
    if (kind == "calendar")
        return calendar(booking, host);
    if (kind != "voucher" && kind != "itinerary" && kind != "invoice")
        missing();
    const RawAnswer answer =
        visit.raw(kind == "invoice" ? "/booking/" + id + "/invoice" : "/bookings/" + id + "/" + kind);
    View view;
    if (answer.status != 200) {
        view = {.page = "error", .status = answer.status};
        view.head.title = "Document not available";
        view.model.set("heading", "This document is not available yet");
        view.model.set("text", answer.message);
        return view;
    }
    view.raw = answer.body;
    view.content_type = answer.type;
    view.headers.emplace_back("Content-Disposition", answer.disposition);
    return view;
}

View pay_rest(Visit& visit, const Value& booking, const std::string& back, const std::string& site,
              std::string& fault) {
    Value body = Value::object({{"gateway", visit.typed("payment_gateway")},
                                {"booking_id", booking["id"]},
                                {"return_url", site + back},
                                {"cancel_url", site + back}});
    const Answered made = visit.call("POST", "/payment/create-intent", body, visit.typed("_key"));
    if (made.is_good())
        for (const char* name : {"payment_url", "redirect_url", "url"})
            if (const std::string where = made.data().text_or(name); !where.empty())
                return go_to(where);
    fault = made.is_good() ? "This way of paying needs JavaScript. Choose another one." : made.message();
    return {};
}

View Views::confirmation(Visit& visit) const {
    const std::string& reference = visit.names.at("reference");
    const auto id = site.store.reading<std::optional<std::int64_t>>(
        [&](store::Session& session) { return booking_of_reference(session, reference); });
    const std::string root = path({bases().book, "confirmation", reference});
    // The token of a mail's link is kept in a cookie and leaves the address, which histories and logs keep.
    if (const std::string token = visit.asked("booking_token"); id && !token.empty() && token.size() < 200) {
        visit.keep_booking(*id, token);
        const std::string pay = visit.asked("pay");
        return go_to(root + (pay.empty() ? "" : "#pay"));
    }
    Answered read;
    if (id) {
        if (const std::string proof = visit.booking_proof(*id); !proof.empty())
            visit.use_booking_token(proof);
        read = visit.get("/customers/my-bookings/" + std::to_string(*id));
    }
    if (!read.is_good()) {  // the same for a reference that nobody has
        View view{.page = "confirmation-locked", .status = 403};
        view.head.title = "Your booking";
        view.model.set("reference", reference);
        view.model.set("login", path({bases().account, "login"}) + query_of({{"next", root}}));
        return view;
    }
    const auto part = visit.names.find("kind");
    if (part != visit.names.end())
        return document_of(visit, read.data(), part->second, "svc");
    View view{.page = "booking-confirmation"};
    view.model = booked_json(*this, visit, read.data(), root);
    if (const std::string paid = visit.asked("payment"); paid == "cancelled" || paid == "failed")
        view.model.set("payment_fault",
                       "The payment was not completed and nothing has been charged. You can try again below.");
    else if (paid == "pending" || paid == "processing")
        view.model.set("payment_note", "Your payment is being processed. We write to you as soon as it has arrived.");
    view.head.title = "Booking " + reference;
    add_origins(view, origins({}));
    return view;
}

View Views::confirmation_submit(Visit& visit) const {
    const std::string& reference = visit.names.at("reference");
    const auto id = site.store.reading<std::optional<std::int64_t>>(
        [&](store::Session& session) { return booking_of_reference(session, reference); });
    const std::string root = path({bases().book, "confirmation", reference});
    if (id)
        if (const std::string proof = visit.booking_proof(*id); !proof.empty())
            visit.use_booking_token(proof);
    const Answered read = id ? visit.get("/customers/my-bookings/" + std::to_string(*id)) : Answered{};
    if (!read.is_good())
        return go_to(root);
    std::string fault;
    if (visit.typed("action") == "pay") {
        View led = pay_rest(visit, read.data(), root, site.installation.address, fault);
        if (fault.empty())
            return led;
    } else if (visit.typed("action") == "cancel") {
        const Answered done = visit.call("POST", "/customers/my-bookings/" + std::to_string(*id) + "/cancel",
                                         Value::object({{"reason", visit.typed("reason")}}), visit.typed("_key"));
        if (done.is_good())
            return go_to(root);
        fault = done.message();
    }
    View view{.page = "booking-confirmation", .status = 400};
    view.model = booked_json(*this, visit, read.data(), root);
    view.model.set("payment_fault", fault);
    view.head.title = "Booking " + reference;
    return view;
}

}  // namespace svc::pages
