// One's own profile, payments, documents and enquiries.
#include "base/people/my_account/feature.hpp"

#include <algorithm>

#include "base/feature/facts.hpp"
#include "base/people/customers/service.hpp"
#include "base/people/identity/proven.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/capture/service.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/api/keeping.hpp"
#include "shared/core/country.hpp"
#include "shared/core/person_name.hpp"
#include "shared/core/text.hpp"

namespace svc::my_account {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using customers::CustomerRecord;
using json::Value;

constexpr int of_age = 18;
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
                                                  "fields",
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

// 29 February comes of age on 1 March.
bool is_of_age(Date born, Date today) {
    const int years = today.year() - born.year();
    return years > of_age || (years == of_age && (today.month() > born.month() ||
                                                  (today.month() == born.month() && today.day() >= born.day())));
}

}  // namespace

Feature::Feature(const Site& site, const Needs& lower)
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
      customers_(lower.customers) {
    // Kept when the account's address changes later, and nobody else's who proves the former one.
    lower.identity.service.when_signed_in([this](std::int64_t user_id, const std::string& email) {
        const std::string address = text::folded(email);
        if (!site_.store.reading<bool>(
                [&](store::Session& session) { return facts::of_base().has_unclaimed(session, address); }))
            return;
        static_cast<void>(site_.store.write([&](store::Transaction& tx) -> Result<void> {
            facts::of_base().claim(tx, user_id, address);
            return {};
        }));
    });
}

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

Value Feature::profile_json(store::Session& session, const CustomerRecord& customer, const api::Caller& caller) const {
    Value profile = customers_.record().to_json(customer);
    for (const std::string_view member : kept_by_staff)
        profile.erase(member);
    // Of the account's own bookings: those of others may hang on the record.
    const Repository::Totals totals = Repository::totals(session, caller.user_id, site_.settings.currency());
    profile.set("total_bookings", totals.bookings);
    profile.set("total_travelers", totals.travelers);
    profile.set("total_spent", json::Number{totals.spent.decimal()});
    profile.set("last_booking_date",
                totals.last_booked_at ? Value(site_.settings.zone().date_at(*totals.last_booked_at).text()) : Value());
    profile.set("last_travel_date", totals.last_travel_date ? Value(totals.last_travel_date->text()) : Value());
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
                        .name = "getMyProfile",
                        .who = Permission::signed_in(),
                        .summary =
                            "Get the caller's profile; empty while there is no record or the account's"
                            " address is not verified.",
                        .answer = api::object(profile_answer())};
    spec.handle = [this](const Request& request) {
        Reply reply = api::ok(site_.store.reading<Value>([&](store::Session& session) {
            return profile_json(session, own_record(session, request.caller).value_or(CustomerRecord{}),
                                request.caller);
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
            faults.at(field, "This is not a valid phone number."_sentence);
    if (const auto country = body.maybe_text("country"); country && !country->empty() && country_code(*country).empty())
        faults.at("country", not_a_country);
    if (const auto text = body.maybe_text("date_of_birth"))
        if (const auto born = Date::parse(*text);
            born && !is_of_age(*born, site_.settings.zone().date_at(site_.clock.now())))
            faults.at("date_of_birth", "Account holders must be at least 18 years old."_sentence);
    return faults.outcome();
}

api::RouteSpec Feature::change_route() const {
    api::RouteSpec spec{.method = api::Method::put,
                        .path = "/customers/me",
                        .name = "updateMyProfile",
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
                return profile_json(tx, written, request.caller);
            };
            return api::respond_once(
                request, [&] { return site_.store.transact<Value>(work); },
                [](const Value& profile) { return api::ok(profile); });
        });
    };
    return spec;
}

// A new name holds no address; one that staff wrote may stay.
Result<void> Feature::check_names(const std::optional<CustomerRecord>& stored, const Value& body) {
    for (const auto& [field, before] : {std::pair{"first_name", stored ? stored->first_name : std::string()},
                                        {"last_name", stored ? stored->last_name : std::string()}})
        if (const auto name = body.maybe_text(field); name && *name != before)
            SVC_RETURN_IF_ERROR(check_person_name(field, *name));
    return {};
}

Result<CustomerRecord> Feature::write(store::Transaction& tx, const Request& request) const {
    const api::Caller& caller = request.caller;
    const record::Writer writer = resource::writer_of(request);
    // The record of the proven address, made by a booking or by staff, becomes the account's own.
    customers::Service::own(tx, site_.hooks, caller.user_id, caller.email, request.now);
    const auto id = customers::Service::id_of_user(tx, caller.user_id);
    SVC_RETURN_IF_ERROR(check_names(id ? customers_.record().find(tx, *id) : std::nullopt, request.body));
    if (id) {
        SVC_ASSIGN_OR_RETURN(auto stored,
                             customers_.customers().engine().update(tx, *id, request.body,
                                                                    request.body.maybe_integer("row_version"), writer));
        return std::move(*static_cast<CustomerRecord*>(stored.get()));
    }
    if (customers::Service::find(tx, caller.email))
        return Error{errc::conflict,
                     "The record of this address belongs to another account. Please write to us."_sentence};
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
        .name = "listMyPayments",
        .who = Permission::signed_in(),
        .summary = "List payments of the caller's bookings, newest first.",
        .query = api::period_fields().plus(api::updated_since_field()),
        .is_list = true,
        .sortable = payment_sort_keys(),
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
            for (const OwnPayment& each : Repository::payments(session, user_id, period, page)) {
                if (Value payment = own_payment(session, each); !payment.is_null())
                    items.push(std::move(payment));
            }
        });
        return api::list_reply(std::move(items), page, total);
    };
    return spec;
}

}  // namespace svc::my_account
