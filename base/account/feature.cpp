// One's own profile, payments, documents and enquiries.
#include "base/account/feature.hpp"

#include <algorithm>

#include "base/booking/record/invoice_token.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/record/wire.hpp"
#include "base/customers/service.hpp"
#include "base/enquiries/enquiry.hpp"
#include "base/identity/proven.hpp"
#include "base/payment/record/service.hpp"
#include "base/payment/record/wire.hpp"
#include "shared/api/keeping.hpp"
#include "shared/core/text.hpp"

namespace svc::account {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using customers::CustomerRecord;
using json::Value;

constexpr int of_age = 18;
constexpr std::int64_t most_tickets = 100;
// Members that the holder reads but cannot write, and members for staff only.
constexpr std::string_view kept_by_staff[] = {"notes", "tags", "erased_at", "source"};
constexpr std::string_view written_by_holder[] = {"first_name",
                                                  "last_name",
                                                  "phone",
                                                  "secondary_phone",
                                                  "country",
                                                  "city",
                                                  "state",
                                                  "address",
                                                  "postal_code",
                                                  "date_of_birth",
                                                  "gender",
                                                  "nationality",
                                                  "emergency_contact",
                                                  "dietary_requirements",
                                                  "medical_conditions",
                                                  "special_needs",
                                                  "preferred_language",
                                                  "preferred_currency",
                                                  "newsletter_optin",
                                                  "marketing_optin",
                                                  "row_version"};

template <std::size_t n>
bool is_among(const std::string_view (&names)[n], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_phone(std::string_view phone) {
    std::size_t digits = 0;
    for (const char c : phone) {
        if (c >= '0' && c <= '9')
            ++digits;
        else if (std::string_view("+ -().\\/").find(c) == std::string_view::npos)
            return false;
    }
    return digits >= 5 && digits <= 20;
}

bool is_country_code(std::string_view code) {
    return code.size() == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z';
}

// 29 February comes of age on 1 March.
bool is_of_age(Date born, Date today) {
    const int years = today.year() - born.year();
    return years > of_age || (years == of_age && (today.month() > born.month() ||
                                                  (today.month() == born.month() && today.day() >= born.day())));
}

std::string title_of(const OwnDocument& document) {
    if (document.category == "download")
        return document.title;
    const char* noun = document.category == "invoice"   ? "Invoice"
                       : document.category == "voucher" ? "Voucher"
                                                        : "Itinerary";
    return std::string(noun) + " " + document.reference;
}

}  // namespace

Feature::Feature(const Site& site, const Lower& lower)
    : svc::Feature(site),
      own({.store = site.store,
           .keyring = site.keyring,
           .hooks = site.hooks,
           .limits = site.limits,
           .clock = site.clock,
           .identity = lower.identity.service,
           .follow =
               [this](store::Transaction& tx, std::int64_t user_id, const std::string& email) {
                   customers_.follow_account(tx, user_id, email, site_.clock.now());
               }}),
      lower_(lower),
      customers_(lower.customers) {}

void Feature::declare() {
    identity::declare_own_account(site_.hooks);
    own.listen();
}

void Feature::add_routes() {
    for (auto spec : {profile_route(), change_route(), payments_route(), documents_route(), tickets_route()})
        site_.routes.add(std::move(spec));
    add_credential_routes();
}

api::Schema Feature::profile_answer() const {
    return customers_.record()
        .answer_schema()
        .without({std::begin(kept_by_staff), std::end(kept_by_staff)})
        .changed([](api::Field& field) {
            if (field.name == "id" || field.name == "created_at" || field.name == "updated_at")
                field.type.nullable = true;
        })
        .plus({{.name = "email_verified", .type = api::boolean(), .required = true},
               {.name = "pending_email",
                .type = api::email().or_null(),
                .help = "The new address until it is confirmed.",
                .required = true}})
        .named("Profile");
}

api::Schema Feature::profile_fields() const {
    std::vector<std::string_view> others;
    const api::Schema whole = customers_.record().update_schema();
    for (const api::Field& field : whole.fields())
        if (!is_among(written_by_holder, field.name))
            others.emplace_back(field.name);
    return whole.without(others).named("ProfileUpdate");
}

std::optional<CustomerRecord> Feature::own_record(store::Session& session, const api::Caller& caller) const {
    if (!identity::is_proven(caller))
        return std::nullopt;
    const auto id = customers::Service::id_of_user(session, caller.user_id);
    return id ? customers_.record().find(session, *id) : std::nullopt;
}

Value Feature::shown(store::Session& session, const CustomerRecord& customer, const api::Caller& caller) const {
    Value profile = customers_.record().to_json(customer);
    for (const std::string_view member : kept_by_staff)
        profile.erase(member);
    if (customer.id == 0) {
        for (const char* member : {"id", "created_at", "updated_at"})
            profile.set(member, nullptr);
        profile.set("user_id", caller.user_id);
        profile.set("name", Repository::display_name(session, caller.user_id));
        profile.set("email", Repository::email(session, caller.user_id));
    }
    profile.set("email_verified", identity::is_proven(caller));
    profile.set("pending_email", own.waiting_address(session, caller.user_id));
    return profile;
}

api::RouteSpec Feature::profile_route() const {
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/customers/me",
                        .who = Permission::signed_in(),
                        .summary =
                            "Get the caller's profile; empty while there is no record or the account's"
                            " address is not verified.",
                        .answer = api::object(profile_answer())};
    spec.handle = [this](const Request& request) {
        Reply reply = api::ok(site_.store.reading<Value>([&](store::Session& session) {
            return shown(session, own_record(session, request.caller).value_or(CustomerRecord{}), request.caller);
        }));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    return spec;
}

Result<void> Feature::check(const Value& body) const {
    Faults faults;
    for (const char* field : {"phone", "secondary_phone"})
        if (const auto phone = body.maybe_text(field); phone && !phone->empty() && !is_phone(*phone))
            faults.at(field, "This is not a valid phone number.");
    if (const auto country = body.maybe_text("country"); country && !country->empty() && !is_country_code(*country))
        faults.at("country", "Write the two capital letters of a country, such as DE.");
    if (const auto text = body.maybe_text("date_of_birth"))
        if (const auto born = Date::parse(*text);
            born && !is_of_age(*born, site_.settings.zone().date_at(site_.clock.now())))
            faults.at("date_of_birth", "Account holders must be at least 18 years old.");
    return faults.outcome();
}

api::RouteSpec Feature::change_route() const {
    api::RouteSpec spec{.method = api::Method::put,
                        .path = "/customers/me",
                        .who = Permission::signed_in(),
                        .summary =
                            "Update the caller's profile; the first update creates the record. The"
                            " address has a route of its own.",
                        .body = profile_fields(),
                        .answer = api::object(profile_answer()),
                        .errors = {&errc::needs_verification, &errc::conflict},
                        .stores_reply = true};
    spec.rules = [this](const Request& request) -> Result<std::vector<FieldError>> {
        const auto good = check(request.body);
        return good ? std::vector<FieldError>{} : good.error().fields();
    };
    spec.handle = [this](const Request& request) -> Reply {
        if (!identity::is_proven(request.caller))
            return api::failed(errc::needs_verification);
        SVC_RETURN_IF_ERROR(check(request.body));
        return customers_.customers().engine().guarded(false, [&]() -> Reply {
            const auto work = [&](store::Transaction& tx) -> Result<Value> {
                SVC_ASSIGN_OR_RETURN(const auto written, write(tx, request));
                return shown(tx, written, request.caller);
            };
            return api::respond_once(
                request, [&] { return site_.store.transact<Value>(work); },
                [](const Value& profile) { return api::ok(profile); });
        });
    };
    return spec;
}

Result<CustomerRecord> Feature::write(store::Transaction& tx, const Request& request) const {
    const api::Caller& caller = request.caller;
    const record::Writer writer = resource::writer_of(request);
    // The record of the proven address, made by a booking or by staff, becomes the account's own.
    customers::Service::own(tx, site_.hooks, caller.user_id, caller.email, request.now);
    const auto id = customers::Service::id_of_user(tx, caller.user_id);
    if (id) {
        SVC_ASSIGN_OR_RETURN(auto stored,
                             customers_.customers().engine().update(tx, *id, request.body,
                                                                    request.body.maybe_integer("row_version"), writer));
        return std::move(*static_cast<CustomerRecord*>(stored.get()));
    }
    if (customers::Service::find(tx, caller.email))
        return Error{errc::conflict, "The record of this address belongs to another account. Please write to us."};
    CustomerRecord fresh;
    fresh.user_id = caller.user_id;
    fresh.email = caller.email;
    fresh.source = "account";
    const std::string name = Repository::display_name(tx, caller.user_id);
    fresh.first_name = name.substr(0, name.find(' '));
    fresh.last_name = name.find(' ') == std::string::npos ? "" : name.substr(name.find(' ') + 1);
    return customers_.customers().create(tx, std::move(fresh), request.body, writer);
}

Value Feature::own_payment(store::Session& session, const OwnPayment& which) {
    const auto found = payment::Service::read(session, which.id);
    if (!found)
        return {};
    Value shown = payment::to_own_json(*found);
    const auto booking = booking::Service::read(session, which.booking_id);
    const Value of_booking = booking ? booking::to_json(*booking) : Value();
    for (const char* member : {"total", "amount_paid", "amount_due"})
        shown.set(member, of_booking[member]);
    return shown;
}

api::RouteSpec Feature::payments_route() const {
    const api::Schema of_booking{{.name = "total", .type = api::money(), .help = "Total of the booking."},
                                 {.name = "amount_paid", .type = api::money(), .help = "Paid for the booking so far."},
                                 {.name = "amount_due", .type = api::money(), .help = "The balance of the booking."}};
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/customers/my-payments",
        .who = Permission::signed_in(),
        .summary = "List payments of the caller's bookings, newest first.",
        .query = api::period_fields(),
        .is_list = true,
        .sortable = {"created_at"},
        .answer = api::list(
            api::object(
                payment::payment_answer().members->without({"notes", "fee", "reconciliation"}).plus(of_booking)),
            100)};
    spec.handle = [this](const Request& request) -> Reply {
        SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site_.settings.zone()));
        const std::int64_t user_id = identity::is_proven(request.caller) ? request.caller.user_id : 0;
        auto items = Value::array();
        std::int64_t total = 0;
        site_.store.read([&](store::Session& session) {
            items = Value::array();
            total = Repository::count_payments(session, user_id, period);
            for (const OwnPayment& each :
                 Repository::payments(session, user_id, period, page.per_page, page.offset())) {
                if (Value payment = own_payment(session, each); !payment.is_null())
                    items.push(std::move(payment));
            }
        });
        return api::listed(std::move(items), page, total);
    };
    return spec;
}

std::optional<std::string> Feature::link_to(const Request& request, const OwnDocument& document) const {
    if (document.category == "download") {
        const auto issued = lower_.downloads.service.issue(request, document.id, document.booking_id,
                                                           catalog::downloads::Action::download);
        return issued ? std::optional(issued->url) : std::nullopt;
    }
    const bool is_invoice = document.category == "invoice";
    return site_.installation.root + (is_invoice ? "/payment/" : "/bookings/") + std::to_string(document.id) + "/" +
           document.category + "?invoice_token=" +
           booking::InvoiceTokens{*site_.keyring}.issue(
               {is_invoice ? document.id : 0, document.booking_id, document.email}, site_.clock.now());
}

api::RouteSpec Feature::documents_route() const {
    const api::Schema document{
        {.name = "id", .type = api::text(60), .help = "For example voucher-12.", .required = true},
        {.name = "name", .type = api::text(300), .required = true},
        {.name = "category", .type = api::choice({"invoice", "voucher", "itinerary", "download"}), .required = true},
        {.name = "trip_title", .type = api::text(255), .required = true},
        {.name = "booking_id", .type = api::id(), .required = true},
        {.name = "payment_id", .type = api::id().or_null(), .help = "Of an invoice."},
        {.name = "url",
         .type = api::text(2'000),
         .help = "Opens without signing in; do not pass it on.",
         .required = true},
        {.name = "updated_at", .type = api::instant(), .required = true}};
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/customers/my-documents",
                        .who = Permission::signed_in(),
                        .summary = "List vouchers, itineraries, invoices and downloads of the caller's bookings.",
                        .answer = api::list(api::object(document), 500)};
    spec.handle = [this](const Request& request) -> Reply {
        const auto found = !identity::is_proven(request.caller)
                               ? std::vector<OwnDocument>()
                               : site_.store.reading<std::vector<OwnDocument>>([&](store::Session& session) {
                                     return Repository::documents(session, request.caller.user_id);
                                 });
        auto items = Value::array();
        for (const OwnDocument& each : found) {
            const auto link = link_to(request, each);
            if (!link)
                continue;
            items.push(
                Value::object({{"id", each.category + "-" + std::to_string(each.id) +
                                          (each.category == "download" ? "-" + std::to_string(each.booking_id) : "")},
                               {"name", title_of(each)},
                               {"category", each.category},
                               {"trip_title", each.trip_title},
                               {"booking_id", each.booking_id},
                               {"payment_id", each.category == "invoice" ? Value(each.id) : Value()},
                               {"url", *link},
                               {"updated_at", each.updated_at}}));
        }
        Reply reply = api::ok(std::move(items));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    return spec;
}

api::RouteSpec Feature::tickets_route() const {
    const auto& record = enquiries::enquiry_record();
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/customers/my-support-tickets",
                        .who = Permission::signed_in(),
                        .summary = "List enquiries sent from the caller's address, the newest 100.",
                        .answer = api::list(api::object(record.answer_schema().without({"responded_by"})), 100)};
    spec.handle = [this, &record,
                   of_address =
                       record.select("WHERE r.email_lower = :email AND r.status NOT IN ('spam', 'trash')"
                                     " ORDER BY r.created_at DESC, r.id DESC LIMIT :most")](const Request& request) {
        auto items = Value::array();
        if (identity::is_proven(request.caller))
            site_.store.read([&](store::Session& session) {
                items = Value::array();
                for (const auto& each :
                     record.all(session, of_address,
                                {{"email", text::folded(request.caller.email)}, {"most", most_tickets}})) {
                    Value ticket = record.to_json(each);
                    ticket.erase("responded_by");
                    items.push(std::move(ticket));
                }
            });
        return api::ok(std::move(items));
    };
    return spec;
}

}  // namespace svc::account
