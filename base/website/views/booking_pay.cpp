// The last step of a booking: coupon, how much now, how to pay; then the booking itself.
#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/website/views/booked.hpp"
#include "base/website/views/cancelling.hpp"
#include "base/website/views/checkout.hpp"
#include "base/website/views/facts.hpp"

namespace svc::pages {
namespace {

using json::Value;

// A row's value: "bank_transfer", or "deposit:bank_transfer" where there are several ways to divide the price.
struct Chosen {
    std::string method, gateway;
};
Chosen chosen_in(const std::string& value) {
    const auto at = value.find(':');
    return at == std::string::npos ? Chosen{.method = {}, .gateway = value}
                                   : Chosen{.method = value.substr(0, at), .gateway = value.substr(at + 1)};
}

std::string title_of(const std::string& way, const std::string& method, bool is_divided, const Format& words) {
    if (!is_divided)
        return way;
    return method == "full"      ? words.say_text("{way}, in full", {{"way", way}})
           : method == "deposit" ? words.say_text("{way}, a deposit first", {{"way", way}})
                                 : words.say_text("{way}, a part first", {{"way", way}});
}

// The money of a booking that would be made like that now.
booking::MoneyTerms terms_of(const Value& quote, const Value& method, const Value& gateway, Currency currency) {
    const auto money = [&](const Value& number) {
        const auto amount =
            number.is_number() ? Money::parse(number.number_text(), currency) : Result<Money>(errc::not_found);
        return amount ? *amount : Money::zero(currency);
    };
    booking::MoneyTerms terms{.total = money(quote["final_total"]),
                              .paid = Money::zero(currency),
                              .refunded = Money::zero(currency),
                              .due_now = money(method["amount"]),
                              .rest = money(method["balance"]),
                              .gateway = gateway.text_or("id")};
    // Pay later may ask for a part of the price first.
    if (const auto deposit = booking::deposit_asked_by(gateway["config"]); deposit && method.text_or("id") == "full") {
        terms.due_now = booking::due_with_deposit(terms.due_now, terms.total, deposit);
        terms.rest = terms.total - terms.due_now;
    }
    if (!terms.rest.is_zero())
        terms.rest_on = Date::parse(method.text_or("balance_on"));
    // Online the first payment is taken at once.
    if (gateway.maybe_boolean("is_offline").value_or(false))
        terms.due_by = Instant::parse(gateway.text_or("pay_by"));
    return terms;
}

std::string button_of(const booking::MoneyTerms& terms, const Format& words) {
    return terms.due_now.is_zero()
               ? words.say_text("Book now")
               : words.say_text("Book for {amount}", {{"amount", words.look.amount(terms.due_now)}});
}

// The rows of the one question: what is paid when, and how.
void add_rows(const Views& views, const Checkout& checkout, const std::string& wanted_gateway, const Format& words,
              Value& model) {
    const Value &session = checkout.session, &quote = session["quote"];
    const auto currency = Currency::parse(quote.text_or("currency", checkout.trip.text_or("currency")));
    const Value& usable =
        session["enabled_gateways"].is_array() ? session["enabled_gateways"] : checkout.trip["gateways"];
    const json::Array& methods = list_of(quote["payment_methods"]);
    Value rows = Value::array();
    std::string button, first;
    bool differ = false;
    for (const Value& each : list_of(usable)) {
        for (const Value& method : methods) {
            const std::string id = each.text_or("id"), way = views.way(id, words.locale);
            const bool by_script = needs_script(id);
            const bool is_chosen = method.text_or("id") == session.text_or("payment_method");
            const booking::PlannedMoney terms = booking::planned(
                views.site.hooks, terms_of(quote, method, each, currency ? *currency : Currency::usd()),
                {.trip_id = checkout.trip.maybe_integer("id").value_or(0),
                 .travel_date = Date::parse(session.text_or("travel_date"))});
            const bool selected =
                !by_script && is_chosen && (id == wanted_gateway || (wanted_gateway.empty() && first.empty()));
            const std::string says = button_of(terms, words);
            differ = differ || (rows.size() > 0 && says != rows[std::size_t{0}].text_or("button"));
            if (selected)
                first = button = says;
            rows.push(
                Value::object({{"id", methods.size() > 1 ? method.text_or("id") + ":" + id : id},
                               {"title", title_of(way, method.text_or("id"), methods.size() > 1, words)},
                               {"text", words.default_text(each.text_or("description"))},
                               {"sentence", booking::sentence_of(terms, money_reader(views, {}, words))},
                               {"money", booking::to_json(booking::lines_of(terms, money_reader(views, id, words)))},
                               {"button", says},
                               {"needs_script", by_script},
                               {"script", script_of_gateway(views, id)},
                               {"wanted", is_chosen && id == wanted_gateway},
                               {"selected", selected}}));
        }
    }
    model.set("has_gateways", rows.size() > 0);
    // Without a script the button cannot follow the choice.
    if (differ || button.empty())
        button = words.say_text("Book now");
    if (rows.size() > 0 && !differ)
        button = rows[std::size_t{0}].text_or("button");
    model.set("gateways", std::move(rows));
    model.set("button", button);
}

View pay_page(const Views& views, PageRequest& visit, const Checkout& checkout, const Faults& faults, int status,
              const std::string& notice = {}) {
    View view{.page = "booking-pay", .status = status};
    Value& model = view.model;
    const Value &session = checkout.session, &quote = session["quote"], &trip = checkout.trip;
    const std::string currency = quote.text_or("currency", trip.text_or("currency"));
    model.set("faults", faults_json(faults, [&](std::string_view field) {
                  return field == "terms_accepted" ? trip["terms_page"].text_or("title") : std::string();
              }));
    model.set("has_faults", !faults.empty());
    model.set("notice", notice);
    model.set("checkout", facts_json(checkout));
    model.set("carried", carried_json(checkout));
    // The details too: a session that ends before this form is sent takes nothing with it.
    Value details = Value::array();
    for (const auto& [name, value] : typed_of(checkout, visit).members())
        if (is_detail(name) && value.is_string() && !value.text().empty())
            details.push(Value::object({{"name", name}, {"value", value}}));
    model.set("carried_details", std::move(details));
    model.set("steps", steps_json(views, visit.words, checkout.slug, 3));
    add_whole_summary(views, checkout, visit.words, model);
    model.set("price_url", step(views, checkout.slug, "price"));
    model.set("action", step(views, checkout.slug, "pay"));
    model.set("details", step(views, checkout.slug, "details"));
    model.set("title", trip["title"]);
    std::string gateway = chosen_in(visit.typed("payment_gateway")).gateway;
    if (gateway.empty())
        gateway = session.text_or("payment_gateway");
    add_rows(views, checkout, gateway, visit.words, model);
    model.set("gateway", gateway);
    const Value& coupon = quote["coupon_discount"];
    model.set("coupon", session["coupon_code"]);
    if (coupon.is_object() && coupon["error"].is_object())
        model.set("coupon_error", coupon["error"]["message"]);
    if (const std::string error = fault_of(faults, "code"); !error.empty())
        model.set("coupon_error", error);
    model.set("coupon_typed", visit.typed("code"));
    model.set("opens_coupon", !session.text_or("coupon_code").empty() || model.find("coupon_error"));
    model.set("requests", visit.form.find("special_requests") ? visit.typed("special_requests")
                                                              : session["form_data"].text_or("special_requests"));
    for (const auto& [key, flag] : {std::pair{"terms_page", "terms"}, {"privacy_policy_page", "privacy"}})
        if (const Value& page = trip[key]; page.is_object())
            model.set(flag, Value::object({{"title", page["title"]}, {"url", views.local(page.text_or("url"))}}));
    model.set("needs_terms", trip.maybe_integer("terms_page_id").value_or(0) > 0);
    model.set("terms_error", fault_of(faults, "terms_accepted"));
    model.set("terms_checked", visit.typed("terms_accepted") == "1");
    model.set("offers_account", !visit.signed_in && views.settings().flag("enable_customer_accounts") &&
                                    views.settings().flag("customer_registration"));
    model.set("wants_account", visit.typed("create_account") == "1");
    model.set("password_error", fault_of(faults, "account_password"));
    model.set("waitlist", visit.typed("_offer_waitlist") == "1");
    model.set("total", quote["final_total"].is_number() ? quote["final_total"].number_text() : "");
    view.head.title = visit.words.say_text("Pay: {trip}", {{"trip", trip.text_or("title")}});
    std::vector<std::string> offered;
    for (const Value& each : list_of(trip["gateways"]))
        offered.push_back(each.text_or("id"));
    add_origins(view, views.origins(offered));
    if (model["offers_account"].boolean())
        views.add_human_check(view, {"booking", "registration"});
    else
        views.add_human_check(view, {"booking"});
    return view;
}

// The same form was sent a moment before, and its booking is not ready yet: the page looks again by itself, each second
// for the `look`-th time. Its link does the same at once, for browsers that do not.
constexpr std::size_t most_looks = 20;
View being_made(const Views& views, PageRequest& visit, const std::string& slug, std::size_t look) {
    View view{.page = "notice"};
    const std::string next = step(views, slug, "pay") + query_of({{"look", std::to_string(look + 1)}});
    view.head.title = visit.words.say_text("Your booking is being made");
    view.model.set("heading", view.head.title);
    view.model.set("text",
                   visit.words.say_text("You have sent it already. This page shows it as soon as it is there."));
    view.model.set("action", Value::object({{"url", next}, {"label", visit.words.say_text("Look again")}}));
    view.headers.emplace_back("Refresh", "1; url=" + next);
    return view;
}

}  // namespace

View Views::book_pay(PageRequest& visit) const {
    const Checkout checkout = checkout_of(*this, visit, visit.names.at("slug"));
    if (!checkout.booked.empty())  // sent twice, or the back button after booking
        return go_to(checkout.booked);
    if (checkout.session.is_null())
        return expired(*this, visit, checkout);
    if (checkout.session["form_data"].size() == 0)
        return go_to(step(*this, checkout.slug, "details"));
    for (std::size_t look = 1; look <= most_looks; ++look)
        if (visit.parameter("look") == std::to_string(look))
            return being_made(*this, visit, checkout.slug, look);
    return pay_page(*this, visit, checkout, {}, 200);
}

View Views::book_pay_submit(PageRequest& visit) const {
    const std::string& slug = visit.names.at("slug");
    Checkout checkout = going_on(*this, visit, slug);
    if (!checkout.booked.empty())  // sent twice, or the back button after booking
        return go_to(checkout.booked);
    if (checkout.session.is_null())
        return expired(*this, visit, checkout);
    const std::string action = visit.typed("action");
    if (action == "coupon" || action == "remove-coupon") {
        const Answered done =
            action == "coupon" ? visit.call("POST", "/booking/coupons", Value::object({{"code", visit.typed("code")}}))
                               : visit.call("DELETE", "/booking/coupons", Value::object());
        if (!done.is_good())
            return pay_page(*this, visit, checkout, {{"code", done.message()}}, 400);
        return go_to(step(*this, slug, "pay"));
    }
    const Chosen chosen = chosen_in(visit.typed("payment_gateway"));
    const std::string method = chosen.method.empty() ? visit.typed("payment_method") : chosen.method;
    if (!method.empty() && method != checkout.session.text_or("payment_method")) {
        const Answered changed = visit.call("PUT", "/booking/session", Value::object({{"payment_method", method}}));
        if (changed.is_good())
            checkout.session = changed.data();
        if (action == "method")
            return go_to(step(*this, slug, "pay"));
    }
    const Value typed = typed_of(checkout, visit);
    Value body = create_body(checkout, typed);
    body.set("payment_gateway", chosen.gateway.empty() ? "pay_later" : chosen.gateway);
    if (!method.empty())
        body.set("payment_method", method);
    if (const std::string note = visit.typed("special_requests"); !note.empty())
        body.set("special_requests", note);
    body.set("terms_accepted", visit.typed("terms_accepted") == "1");
    body.set("subscribe_newsletter", visit.typed("newsletter") == "1");
    if (visit.typed("create_account") == "1")
        body.set("create_account", true);
    if (action == "waitlist")
        body.set("join_waitlist", true);
    if (const std::string token = visit.typed("recaptcha_token"); !token.empty())
        body.set("recaptcha_token", token);
    // The total that the visitor saw; a different total is shown before anything is booked.
    if (const std::string total = visit.typed("_total");
        !total.empty() && total.size() < 20 && total.find_first_not_of("0123456789.") == std::string::npos)
        body.set("expected_total", total);
    if (Value consent = consent_body(visit); !consent.is_null())
        body.set("tracking_consent", std::move(consent));
    const Answered made = visit.call("POST", "/booking/create", body, visit.typed("_key"));
    if (!made.is_good()) {
        Faults details, others;
        for (const auto& [field, help] : made.faults())
            (is_of_details(field) ? details : others).emplace_back(field, help);
        if (!details.empty())
            return details_page(*this, visit, checkout, typed, details, 400);
        if (made.code() == "login_required" || made.code() == "guest_not_allowed")
            return go_to(path({bases().account, "login"}) + query_of({{"next", step(*this, slug, "pay")}}));
        if (others.empty())
            others.emplace_back("", made.message());
        const Checkout now = checkout_of(*this, visit, slug);
        if (!now.booked.empty())  // by the same form, sent a moment before
            return go_to(now.booked);
        if (made.code() == errc::request_in_progress.name || made.code() == errc::key_reused.name)
            return being_made(*this, visit, slug, 0);
        if (!now.session.is_null())
            checkout.session = now.session;
        const bool is_full = made.code() == "sold_out";
        if (is_full && made.body["data"].maybe_boolean("waitlist").value_or(false))
            visit.form.set("_offer_waitlist", "1");
        View view = pay_page(*this, visit, checkout, others, made.status);
        view.model.set("sold_out", is_full);
        view.model.set("choose", step(*this, slug, ""));
        return view;
    }
    const Value& booking = made.data();
    const std::int64_t id = booking.maybe_integer("booking_id").value_or(booking.maybe_integer("id").value_or(0));
    visit.keep_booking(id, booking.text_or("booking_token"), booking.text_or("reference"),
                       {visit.typed("_mark"), checkout.mark});
    const std::string root = path({bases().book, "confirmation", booking.text_or("reference")});
    if (booking["next"].text_or("type") != "intent")
        return go_to(root);
    // Paid on the provider's page, or by a card on the booking's own.
    std::string fault;
    if (!needs_script(booking.text_or("payment_gateway")))
        if (const auto where = payment_page(visit, booking, booking.text_or("payment_gateway"),
                                            site.installation.address + root, fault))
            return go_to(*where);
    return go_to(root + (fault.empty() ? "#pay" : "?payment=failed#pay"));
}

}  // namespace svc::pages
