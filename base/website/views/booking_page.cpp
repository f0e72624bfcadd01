// The page of one booking: opened by its mailed links, by the browser that booked it or by its account; and how a guest
// has the link mailed again.
#include "base/sales/booking/guest/expired.hpp"
#include "base/sales/booking/record/pay_link.hpp"
#include "base/website/pages/repository.hpp"
#include "base/website/views/booked.hpp"
#include "base/website/views/facts.hpp"

namespace svc::pages {
namespace {

using json::Value;
using LinkProof = booking::Service::LinkProof;

// A booking's page as its visitor asked for it.
struct Asked {
    std::string reference, root;
    std::optional<std::int64_t> id = {};  // nothing: there is no such booking
    PageRequest::BookingProofs proofs = {};

    [[nodiscard]] std::string route() const { return "/customers/my-bookings/" + std::to_string(id.value_or(0)); }
};

Asked asked_for(const Views& views, PageRequest& visit) {
    Asked asked{.reference = visit.names.at("reference"), .root = {}};
    asked.root = views.path({views.bases().book, "confirmation", asked.reference});
    asked.id = views.site.store.reading<std::optional<std::int64_t>>(
        [&](store::Session& session) { return booking_of_reference(session, asked.reference); });
    if (asked.id)
        asked.proofs = visit.booking_proofs(*asked.id);
    return asked;
}

// By the first of these proofs that counts, else by the visitor's account or checkout.
Answered read_by(PageRequest& visit, const Asked& asked, std::initializer_list<std::string_view> proofs) {
    if (!asked.id)
        return {};
    for (const std::string_view proof : proofs) {
        if (proof.empty())
            continue;
        visit.use_booking_token(std::string(proof));
        if (Answered read = visit.get(asked.route()); read.is_good())
            return read;
    }
    visit.use_booking_token("");
    return visit.get(asked.route());
}

// The booking as its visitor may act on it: the link, which only reads, is exchanged for a token.
Answered read_to_act(PageRequest& visit, const Asked& asked) {
    Answered read = read_by(visit, asked, {asked.proofs.token});
    if (read.is_good() || asked.proofs.link.empty())
        return read;
    const Answered opened = visit.call("POST", "/booking/open", Value::object({{"link", asked.proofs.link}}));
    const std::string token = opened.is_good() ? opened.data().text_or("booking_token") : std::string();
    if (!token.empty())
        visit.keep_booking(*asked.id, token, asked.reference);
    return read_by(visit, asked, {token.empty() ? asked.proofs.link : token});
}

// Whether a secret proves the booking, or did: a stranger's invented one must not replace what this browser has.
bool is_proof(const Views& views, PageRequest& visit, const Asked& asked, const std::string& secret) {
    constexpr std::string_view of_tokens = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    if (secret.find_first_not_of(of_tokens) != std::string::npos)
        return false;
    // One that has ended replaces none that still counts.
    const auto may_replace = [](LinkProof sent, LinkProof kept) {
        return sent == LinkProof::proves || (sent == LinkProof::ended && kept != LinkProof::proves);
    };
    const booking::Service& bookings = views.bookings;
    if (secret.starts_with(booking::BookingLinks::mark))
        return may_replace(bookings.booking_link(secret, *asked.id),
                           bookings.booking_link(asked.proofs.link, *asked.id));
    if (secret.starts_with(booking::PayLinks::mark))
        return may_replace(bookings.pay_link(secret, *asked.id), bookings.pay_link(asked.proofs.pay, *asked.id));
    visit.use_booking_token(secret);
    return visit.get(asked.route()).is_good() ||
           booking::expired_unpaid(views.bookings, views.site.store, secret, *asked.id, views.site.clock.now());
}

std::optional<Value> expired_of(const Views& views, const Asked& asked) {
    return asked.id ? booking::expired_unpaid(views.bookings, views.site.store, asked.proofs.token, *asked.id,
                                              views.site.clock.now())
                    : std::nullopt;
}

View page_of_booking(const Views& views, PageRequest& visit, const Value& booking, const std::string& root) {
    View view{.page = "booking-confirmation"};
    view.model = booked_json(views, visit, booking, root);
    view.head.title = visit.words.say_text("Booking {reference}", {{"reference", booking.text_or("reference")}});
    return view;
}

// The same for a reference that nobody has.
View locked_page(const Views& views, PageRequest& visit, const Asked& asked) {
    View view{.page = "confirmation-locked", .status = 403};
    const Format& words = visit.words;
    view.head.title = words.say_text("Your booking");
    view.model.set("heading", words.say_text("Please show that this is your booking"));
    view.model.set("text", words.say_text("Booking {reference} opens by its link, in the browser that booked it, or in"
                                          " the account that booked it.",
                                          {{"reference", asked.reference}}));
    view.model.set("reference", asked.reference);
    view.model.set("login", views.path({views.bases().account, "login"}) + query_of({{"next", asked.root}}));
    return view;
}

// What a pay link shows: reference, trip and amount, and the ways to pay it. Nothing: it is no pay link of this
// booking.
std::optional<View> paying_page(const Views& views, PageRequest& visit, const Asked& asked,
                                const std::string& fault = {}) {
    if (!asked.id || asked.proofs.pay.empty())
        return std::nullopt;
    const auto proof = views.bookings.pay_link(asked.proofs.pay, *asked.id);
    const auto found = proof == LinkProof::foreign ? std::nullopt : views.bookings.find(*asked.id);
    if (!found)
        return std::nullopt;
    const Format& words = visit.words;
    View view{.page = "pay-link"};
    view.head.title = words.say_text("Booking {reference}", {{"reference", asked.reference}});
    const Value whole = booked_json(views, visit, views.bookings.detail(*found, false), asked.root);
    for (const char* shown : {"reference", "title", "root"})
        view.model.set(shown, whole[shown]);
    view.model.set("find",
                   views.path({views.bases().account, "find-booking"}) + query_of({{"reference", asked.reference}}));
    view.model.set("payment_fault", fault);
    if (proof == LinkProof::proves) {
        for (const char* shown : {"is_due", "due", "pay_until", "instructions", "gateways", "has_online"})
            if (const Value* value = whole.find(shown))
                view.model.set(shown, *value);
        view.model.set("heading", words.say_text("Pay for your booking"));
        add_origins(view, views.origins({}));
    } else if (booking::holds_seats(found->status) && found->balance().is_zero()) {
        view.model.set("heading", words.say_text("This booking is paid"));
        view.model.set("text", words.say_text("Thank you. Nothing more is due, and this link has served its purpose."));
    } else {
        view.model.set("heading", words.say_text("This link has ended"));
        view.model.set("text", words.say_text("Nothing can be paid by it any more."));
    }
    return view;
}

void set_payment_note(PageRequest& visit, View& view) {
    if (const std::string paid = visit.parameter("payment"); paid == "cancelled" || paid == "failed")
        view.model.set("payment_fault",
                       visit.words.say_text(
                           "The payment was not completed and nothing has been charged. You can try again below."));
    else if (paid == "pending" || paid == "processing")
        view.model.set(
            "payment_note",
            visit.words.say_text("Your payment is being processed. We write to you as soon as it has arrived."));
}

// A form of somebody who may not act on the booking: only pay it, or book again one that expired.
View submitted_by_others(const Views& views, PageRequest& visit, const Asked& asked) {
    std::string fault;
    const std::string action = visit.typed("action");
    if (asked.id && !asked.proofs.pay.empty() && (action == "pay" || action == "intent" || action == "confirm") &&
        views.bookings.pay_link(asked.proofs.pay, *asked.id) == LinkProof::proves) {
        visit.use_booking_token(asked.proofs.pay);
        if (auto done = act_on(views, visit, Value::object({{"id", *asked.id}}), asked.root, fault))
            return std::move(*done);
        visit.use_booking_token("");
        if (auto view = paying_page(views, visit, asked, fault)) {
            view->status = 400;
            return std::move(*view);
        }
    }
    const auto gone = expired_of(views, asked);
    if (!gone || action != "again")
        return go_to(asked.root);
    // Its secrets have ended: the new checkout begins without them.
    visit.use_booking_token("");
    visit.leave_checkout_aside();
    if (auto done = act_on(views, visit, *gone, asked.root, fault))
        return std::move(*done);
    View view = page_of_booking(views, visit, *gone, asked.root);
    view.status = 400;
    view.model.set("payment_fault", fault);
    return view;
}

View find_form(PageRequest& visit, int status = 200) {
    View view{.page = "find-booking", .status = status};
    view.head.title = visit.words.say_text("Find my booking");
    const bool is_sent = visit.http.method == "POST";
    for (const char* name : {"reference", "email"})
        view.model.set(name, is_sent ? visit.typed(name) : visit.parameter(name));
    return view;
}

}  // namespace

View Views::confirmation(PageRequest& visit) const {
    const Asked asked = asked_for(*this, visit);
    // The token of a mailed link moves into a cookie, because histories and logs store addresses.
    if (const std::string token = visit.parameter("booking_token"); asked.id && !token.empty() && token.size() < 200) {
        if (is_proof(*this, visit, asked, token))
            visit.keep_booking(*asked.id, token, asked.reference);
        const std::string pay = visit.parameter("pay");
        return go_to(asked.root + (pay.empty() ? "" : "#pay"));
    }
    const Answered read = read_by(visit, asked, {asked.proofs.link, asked.proofs.token});
    const auto part = visit.names.find("kind");
    if (!read.is_good() && part == visit.names.end()) {
        if (const auto gone = expired_of(*this, asked))
            return page_of_booking(*this, visit, *gone, asked.root);
        if (auto paying = paying_page(*this, visit, asked)) {
            set_payment_note(visit, *paying);
            return std::move(*paying);
        }
    }
    if (!read.is_good())
        return locked_page(*this, visit, asked);
    if (part != visit.names.end())
        return document_of(visit, read.data(), part->second);
    View view = page_of_booking(*this, visit, read.data(), asked.root);
    add_purchase_facts(*this, visit, read.data(), view);
    set_payment_note(visit, view);
    add_origins(view, origins({}));
    return view;
}

View Views::confirmation_submit(PageRequest& visit) const {
    const Asked asked = asked_for(*this, visit);
    const Answered read = read_to_act(visit, asked);
    if (!read.is_good())
        return submitted_by_others(*this, visit, asked);
    std::string fault;
    const bool cancels = visit.typed("action") == "cancel";
    if (cancels && read.data().text_or("status") == booking::status::cancelled)
        return go_to(asked.root);  // by the same form, sent a moment before
    if (cancels && visit.typed("sure") != "1")
        fault = visit.words.say_text("Tick the box to say that you want to cancel.");
    else if (cancels) {
        const Answered done = visit.call("POST", asked.route() + "/cancel",
                                         Value::object({{"reason", visit.typed("reason")}}), visit.typed("_key"));
        if (done.is_good() && (visit.signed_in || !asked.proofs.link.empty()))
            return go_to(asked.root);
        if (done.is_good())  // a guest's token has ended with the booking: what became of it is shown now
            return page_of_booking(*this, visit, done.data(), asked.root);
        fault = done.message();
    } else if (auto done = act_on(*this, visit, read.data(), asked.root, fault))
        return std::move(*done);
    View view = page_of_booking(*this, visit, read.data(), asked.root);
    answer_form(view, fault);
    add_origins(view, origins({}));
    return view;
}

View Views::find_booking(PageRequest& visit) const { return find_form(visit); }

View Views::find_booking_submit(PageRequest& visit) const {
    const Answered asked = visit.call(
        "POST", "/booking/find",
        Value::object({{"reference", visit.typed("reference")}, {"email", visit.typed("email")}}), visit.typed("_key"));
    if (!asked.is_good()) {
        View view = find_form(visit, 400);
        auto faults = asked.faults();
        if (faults.empty())
            faults.emplace_back("", asked.message());
        view.model.set("faults", faults_json(faults, [&](std::string_view field) {
                           return field == "email"       ? visit.words.say_text("E-mail")
                                  : field == "reference" ? visit.words.say_text("Your reference")
                                                         : std::string();
                       }));
        view.model.set("has_faults", true);
        return view;
    }
    View view{.page = "notice"};
    view.head.title = visit.words.say_text("Look into your mailbox");
    view.model.set("heading", view.head.title);
    view.model.set("text",
                   visit.words.say_text("If {email} belongs to booking {reference}, its link is on its way. If"
                                        " nothing arrives within some minutes, look at both again, or write to"
                                        " us.",
                                        {{"email", visit.typed("email")}, {"reference", visit.typed("reference")}}));
    return view;
}

}  // namespace svc::pages
