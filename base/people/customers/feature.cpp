// The differences of customers from other resources.
#include "base/people/customers/feature.hpp"

#include <algorithm>

#include "base/feature/facts.hpp"
#include "base/people/customers/extra_fields.hpp"
#include "base/people/customers/hooks.hpp"
#include "base/people/customers/repository.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/keeping.hpp"
#include "shared/core/country.hpp"
#include "shared/core/text.hpp"

namespace svc::customers {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr const char* may_view = "svc_view_customers";
constexpr const char* may_edit = "svc_edit_customers";
constexpr const char* may_delete = "svc_delete_customers";
// The members of a record that a list shows.
constexpr std::string_view row_members[] = {"id",
                                            "user_id",
                                            "name",
                                            "first_name",
                                            "last_name",
                                            "email",
                                            "phone",
                                            "country",
                                            "city",
                                            "address",
                                            "status",
                                            "tags",
                                            "total_bookings",
                                            "total_spent",
                                            "loyalty_tier",
                                            "last_booking_date",
                                            "registered_at",
                                            "row_version",
                                            "created_at",
                                            "updated_at"};

bool is_row_member(std::string_view name) {
    return std::find(std::begin(row_members), std::end(row_members), name) != std::end(row_members);
}

// Repeats `step` until it returns 0. Returns the sum of its results.
Result<std::int64_t> in_steps(store::Store& store, std::int64_t (*step)(store::Transaction&)) {
    for (std::int64_t all = 0;;) {
        const auto done = store.transact<std::int64_t>(
            [step](store::Transaction& tx) -> Result<std::int64_t> { return step(tx); }, store::Durability::relaxed);
        if (!done)
            return done.error();
        if (*done == 0)
            return all;
        all += *done;
    }
}

// Consent is dated when it is given, and the date goes with it.
void date_consent(bool before, bool after, std::optional<Instant>& at, Instant now) {
    if (!after)
        at.reset();
    else if (!before || !at)
        at = now;
}

Value with_rows_alone(const Value& items) {
    return json::array_of(items.items(), [&](const Value& each) { return row_of(each); });
}

}  // namespace

Value row_of(const Value& detail) {
    auto row = Value::object();
    for (const auto& [name, value] : detail.members())
        if (is_row_member(name))
            row.set(name, value);
    return row;
}

api::Schema row_answer(const record::Record<CustomerRecord>& record) {
    std::vector<std::string_view> others;
    const api::Schema whole = record.answer_schema();
    for (const api::Field& field : whole.fields())
        if (!is_row_member(field.name))
            others.emplace_back(field.name);
    return whole.without(others).named("Customer");
}

Feature::Feature(const Site& site, identity::Feature& identity)
    : svc::Feature(site),
      identity_(identity),
      account_records_(site),
      record_(make_record(site.settings, *site.keyring)),
      customers_(record_, options(), rules()) {}

resource::Options Feature::options() const {
    using Does = resource::BulkAction::Does;
    return {.store = site_.store,
            .path = "/customers",
            .one = "customer",
            .many = "customers",
            .reads = Permission::can(may_view),
            .writes = Permission::can(may_edit),
            .removes = Permission::can(may_delete),
            .filters = {{.name = "tag", .type = api::text(50, 1), .help = "Only customers with this tag."}},
            .bulk = {{.name = "activate", .status = "active"},
                     {.name = "deactivate", .status = "inactive"},
                     {.name = "block", .status = "blocked"},
                     {.name = "delete", .does = Does::remove, .capability = may_delete}},
            .zone = [this] { return site_.settings.zone(); },
            .taken = [](std::string_view) { return Error{errc::email_exists}; }};
}

resource::Rules<CustomerRecord> Feature::rules() const {
    return {.adjust =
                [this](const CustomerRecord* before, CustomerRecord& after, const Value&, Faults&) {
                    after.full_name = text::clean(after.first_name + " " + after.last_name);
                    after.country = country_as_code(after.country);  // an unknown one, of an older program, stays
                    const Instant now = site_.clock.now();
                    date_consent(before && before->newsletter_optin, after.newsletter_optin, after.newsletter_optin_at,
                                 now);
                    date_consent(before && before->marketing_optin, after.marketing_optin, after.marketing_optin_at,
                                 now);
                },
            .check =
                [this](const CustomerRecord* before, const CustomerRecord& after, Faults& faults) {
                    if (after.date_of_birth && (!before || before->date_of_birth != after.date_of_birth) &&
                        *after.date_of_birth > site_.settings.zone().date_at(site_.clock.now()))
                        faults.at("date_of_birth", "The date of birth must be in the past."_sentence);
                    // One that an older program stored stays as it is.
                    if (!after.country.empty() && country_code(after.country).empty() &&
                        (!before || before->country != after.country))
                        faults.at("country", not_a_country);
                    if (auto known = Currency::parse(after.preferred_currency); !known)
                        faults.at("preferred_currency", "Unknown currency. Enter a code such as EUR."_sentence);
                },
            .may_delete = [this](store::Session& session, const CustomerRecord& customer, bool) -> Result<void> {
                if (facts::of_base().is_blocked(session, record_.layout().table, customer.id))
                    return Error{errc::in_use,
                                 "This customer has bookings or payments. Merge the customer with another one, or have"
                                 " the person's data erased."_sentence};
                return {};
            },
            .after_write =
                [this](store::Transaction& tx, const CustomerRecord* before, const CustomerRecord* after,
                       const record::Writer&) {
                    if (after)
                        site_.hooks.emit(tx, before ? customer_updated : customer_created, {after->id});
                }};
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    customers::declare_settings(site_.settings);
}

void Feature::add_routes() {
    auto stats = customers_.stats_route();
    stats.summary = "Count customers by status.";
    auto bulk = customers_.bulk_route(api::Method::put);
    bulk.errors.push_back(&errc::in_use);
    for (auto spec :
         {list_route(), create_route(), std::move(stats), duplicates_route(), preview_route(), merge_route(),
          std::move(bulk), read_route(), update_route(), customers_.remove_route(), bookings_route()})
        site_.routes.add(std::move(spec));
}

void Feature::add_jobs() {
    site_.jobs.add({.name = "customer_search",
                    .help = "Adds new customers, and those of an earlier version, to the search index.",
                    .every = std::chrono::minutes(1),
                    .run = [this](Instant) -> Result<Value> {
                        const auto filled = in_steps(site_.store, Repository::fold_next);
                        if (!filled)
                            return filled.error();
                        const auto indexed = in_steps(site_.store, Repository::index_next);
                        if (!indexed)
                            return indexed.error();
                        return Value::object({{"filled", *filled}, {"indexed", *indexed}});
                    }});
}

Value Feature::customer_json(const CustomerRecord& customer, const api::Caller& caller) const {
    Value shown = record_.to_json(customer);
    if (!caller.can(may_edit))
        for (const char* member : {"dietary_requirements", "medical_conditions", "special_needs", "fields"})
            shown.set(member, nullptr);
    return shown;
}

api::RouteSpec Feature::list_route() const {
    auto spec = customers_.list_route();
    spec.answer = api::list(api::object(row_answer(record_)), 100);
    spec.handle = [this](const Request& request) {
        Request adapted = request;
        if (const auto tag = request.query.maybe_text("tag"))
            adapted.query.set("tag", tag_pattern(*tag));
        Reply reply = customers_.engine().list(adapted);
        if (!reply.error)
            reply.data = with_rows_alone(reply.data);
        return reply;
    };
    return spec;
}

namespace {

// Health data may be withheld, and bookings come along.
api::Schema detail_answer(const record::Record<CustomerRecord>& record, const api::Schema& booking) {
    return record.answer_schema()
        .changed([](api::Field& field) {
            if (field.name == "dietary_requirements" || field.name == "medical_conditions" ||
                field.name == "special_needs" || field.name == "fields")
                field.type.nullable = true;
        })
        .plus({{.name = "recent_bookings",
                .type = api::list(api::object(booking), 10),
                .help = "The 10 newest bookings; empty for callers who may not read bookings."},
               {.name = "former_emails",
                .type = api::list(api::text(254)),
                .help = "Addresses of customers that were merged into this one.",
                .required = true}})
        .named("CustomerWithBookings");
}

}  // namespace

api::RouteSpec Feature::read_route() const {
    auto spec = customers_.read_route();
    spec.summary = "Get a customer. Health data is null for callers who may not edit customers.";
    spec.answer = api::object(detail_answer(record_, bookings_->row_answer()));
    spec.handle = [this](const Request& request) -> Reply {
        std::vector<std::string> former_emails;
        const auto found = site_.store.reading<std::optional<CustomerRecord>>([&](store::Session& session) {
            former_emails = Repository::former_emails(session, request.path_id());
            return record_.find(session, request.path_id());
        });
        if (!found)
            return api::failed(errc::not_found);
        Reply reply = api::ok(customer_json(*found, request.caller));
        reply.data.set("former_emails", json::array_of(former_emails, [](const auto& email) { return Value(email); }));
        const api::Page newest{.page = 1, .per_page = 10, .ascending = false, .order_by = "created_at"};
        reply.data.set("recent_bookings", api::may_read_bookings(request.caller)
                                              ? bookings_->of_customer(found->id, newest, {}).data
                                              : Value::array());
        reply.headers.emplace_back("ETag", api::version_tag(found->row_version, reply.data));
        return api::unless_known(request, std::move(reply));
    };
    return spec;
}

api::RouteSpec Feature::update_route() const {
    auto spec = customers_.update_route();
    spec.errors.push_back(&errc::email_exists);
    return spec;
}

api::RouteSpec Feature::create_route() const {
    auto spec = customers_.create_route();
    spec.summary =
        "Create a customer; with create_account also an account, whose owner sets the password by a mailed link.";
    spec.body = spec.body
                    .plus({{.name = "create_account",
                            .type = api::boolean(),
                            .help = "Create an account; requires the capability create_users.",
                            .otherwise = false},
                           {.name = "confirm_link_existing",
                            .type = api::boolean(),
                            .help = "Link an existing account with this address.",
                            .otherwise = false}})
                    .named("CustomerCreate");
    spec.answer = api::object(
        record_.answer_schema().plus({{.name = "account_created", .type = api::boolean(), .required = true},
                                      {.name = "account_linked", .type = api::boolean(), .required = true}}));
    spec.errors = {&errc::email_exists, &errc::account_link_confirmation_required, &errc::forbidden};
    spec.handle = [this](const Request& request) -> Reply {
        MakeAccount account;
        if (request.body.maybe_boolean("create_account").value_or(false)) {
            if (!request.caller.can("create_users"))
                return api::failed(
                    Error{errc::forbidden, "Creating accounts requires the capability create_users."_sentence});
            // The holder sets the password by a mailed link.
            SVC_ASSIGN_OR_RETURN(auto prepared,
                                 identity_.registration->invite({.first_name = request.body.text_or("first_name"),
                                                                 .last_name = request.body.text_or("last_name"),
                                                                 .email = request.body.text_or("email"),
                                                                 .phone = "",
                                                                 .password = {}}));
            account = std::move(prepared);
        }
        const auto answer = [&](const CreatedCustomer& created) {
            Value data = customer_json(created.customer, request.caller);
            data.set("account_created", created.account_created);
            data.set("account_linked", created.account_linked);
            Reply reply = api::created(std::move(data), "/customers/" + std::to_string(created.customer.id));
            reply.headers.emplace_back("ETag", api::version_tag(created.customer.row_version, reply.data));
            return reply;
        };
        return customers_.engine().guarded(true, [&] {
            const auto work = [&](store::Transaction& tx) { return create(tx, request, account); };
            return api::respond_once(
                request, [&] { return site_.store.transact<CreatedCustomer>(work); }, answer);
        });
    };
    return spec;
}

Result<Feature::CreatedCustomer> Feature::create(store::Transaction& tx, const Request& request,
                                                 const MakeAccount& account) const {
    const std::string email = request.body.text_or("email");
    auto there = Repository::find(tx, email);
    if (!there)
        there = Repository::find_former(tx, email);
    if (there) {
        Error taken{errc::email_exists, "A customer with this address already exists."_sentence};
        taken.with("existing_id", std::to_string(there->id));
        return taken;
    }
    const auto login = Repository::login_of(tx, email);
    if (login && !request.body.maybe_boolean("confirm_link_existing").value_or(false))
        return errc::account_link_confirmation_required;
    CreatedCustomer result;
    // Until the address is proven its account owns nothing: the proof links it then.
    const bool links = login && login->verified && !Repository::id_of_user(tx, login->user_id);
    CustomerRecord fresh;
    fresh.user_id = links ? std::optional(login->user_id) : std::nullopt;
    result.account_linked = links;
    SVC_ASSIGN_OR_RETURN(auto stored,
                         customers_.create(tx, std::move(fresh), request.body, resource::writer_of(request)));
    result.customer = std::move(stored);
    if (!login && account) {  // after the record, which it finds by its address
        SVC_ASSIGN_OR_RETURN(const auto created, account(tx));
        result.account_created = created > 0;
    }
    return result;
}

api::RouteSpec Feature::bookings_route() const {
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/customers/{id}/bookings",
        .who = Permission::can(may_view),
        .summary = "List the bookings of a customer, newest first.",
        .query = api::Schema{{.name = "limit", .type = api::integer(1, 100), .help = "Replaces per_page."}}.plus(
            api::period_fields().plus(api::updated_since_field())),
        .is_list = true,
        .sortable = {"created_at", "updated_at"},
        .answer = api::list(api::object(bookings_->row_answer()), 100),
        .errors = {&errc::not_found}};
    spec.handle = [this](const Request& request) -> Reply {
        SVC_ASSIGN_OR_RETURN(auto page, api::page_of(*request.route, request.query));
        if (const auto limit = request.query.maybe_integer("limit"))
            page.per_page = *limit;
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site_.settings.zone()));
        const bool there = site_.store.reading<bool>(
            [&](store::Session& session) { return Repository::find(session, request.path_id()).has_value(); });
        if (!there)
            return api::failed(errc::not_found);
        // Marketing reads customers, and no booking.
        return api::may_read_bookings(request.caller) ? bookings_->of_customer(request.path_id(), page, period)
                                                      : api::list_reply(Value::array(), page, 0);
    };
    return spec;
}

Result<std::int64_t> Feature::renew_sealed() {
    std::int64_t renewed = 0;
    const auto rows = site_.store.reading<std::vector<SealedTexts>>(Repository::sealed_texts);
    for (SealedTexts texts : rows) {
        std::int64_t changed = 0;
        for (const auto& [text, column] : {std::pair{&texts.dietary_requirements, "dietary_requirements"},
                                           {&texts.medical_conditions, "medical_conditions"},
                                           {&texts.special_needs, "special_needs"},
                                           {&texts.extra_fields, "extra_fields"}})
            if (auto fresh = site_.keyring->renewed(*text, std::string("svc_customers.") + column)) {
                *text = std::move(*fresh);
                ++changed;
            }
        if (changed == 0)
            continue;
        const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
            Repository::put_sealed(tx, texts);
            return {};
        });
        if (!written)
            return written.error();
        renewed += changed;
    }
    return renewed;
}

}  // namespace svc::customers
