// Duplicates of customers: finding them, showing what merging two comes to, and merging.
#include <algorithm>

#include "base/feature/facts.hpp"
#include "base/people/customers/feature.hpp"
#include "base/people/customers/hooks.hpp"
#include "base/people/customers/repository.hpp"
#include "shared/api/keeping.hpp"
#include "shared/core/text.hpp"

namespace svc::customers {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr std::int64_t most_groups = 50;
constexpr std::size_t most_of_a_group = 20;

template <class T>
void fill(T& to, const T& from) {
    if (to == T{})
        to = from;
}

// The target keeps its values and gets those that it lacks.
CustomerRecord laid_together(const CustomerRecord& source, CustomerRecord target) {
    using C = CustomerRecord;
    for (const auto member : {&C::first_name, &C::last_name, &C::phone, &C::country, &C::city, &C::address,
                              &C::emergency_name, &C::emergency_phone, &C::emergency_relationship,
                              &C::dietary_requirements, &C::medical_conditions, &C::special_needs})
        fill(target.*member, source.*member);
    for (const auto member : {&C::secondary_phone, &C::state, &C::postal_code, &C::gender, &C::nationality})
        fill(target.*member, source.*member);
    Value fields = extra_fields_of(source);
    const Value own_fields = extra_fields_of(target);
    for (const auto& [id, value] : own_fields.members())
        fields.set(id, value);
    set_extra_fields(target, fields);
    target.full_name = text::clean(target.first_name + " " + target.last_name);
    fill(target.date_of_birth, source.date_of_birth);
    fill(target.user_id, source.user_id);
    if (!source.phone.empty() && source.phone != target.phone)
        fill(target.secondary_phone, std::optional(source.phone));
    for (const std::string& tag : source.tags)
        if (std::find(target.tags.begin(), target.tags.end(), tag) == target.tags.end() && target.tags.size() < 30)
            target.tags.push_back(tag);
    if (source.notes && !source.notes->empty())
        target.notes = target.notes && !target.notes->empty() ? *target.notes + "\n\n" + *source.notes : *source.notes;
    target.loyalty_points = std::min<std::int64_t>(target.loyalty_points + source.loyalty_points, 1'000'000'000);
    // A block holds for the person, whichever record staff blocked.
    if (source.status == Status::blocked)
        target.status = Status::blocked;
    return target;
}

// Whether the holder of an account that has `before` sees more, or another's data, in `after`.
bool shows_more(const CustomerRecord& before, const CustomerRecord& after) {
    using C = CustomerRecord;
    for (const auto member : {&C::first_name, &C::last_name, &C::email, &C::phone, &C::country, &C::city, &C::address,
                              &C::emergency_name, &C::emergency_phone, &C::emergency_relationship,
                              &C::dietary_requirements, &C::medical_conditions, &C::special_needs, &C::extra_fields})
        if (before.*member != after.*member)
            return true;
    for (const auto member : {&C::secondary_phone, &C::state, &C::postal_code, &C::gender, &C::nationality})
        if (before.*member != after.*member)
            return true;
    return before.date_of_birth != after.date_of_birth;
}

Value shown_json(const std::optional<ShownToAccount>& shows) {
    return shows ? Value::object(
                       {{"account", shows->email}, {"other", shows->other_email}, {"bookings", shows->bookings}})
                 : Value();
}

api::Schema counts_answer() {
    std::vector<api::Field> fields;
    for (std::string& name : facts::of_base().names_of_customers_rows())
        fields.push_back({.name = std::move(name), .type = api::integer(0), .required = true});
    return api::Schema(std::move(fields));
}

api::Schema two_customers() {
    return {{.name = "source_id",
             .type = api::id().referring_to("customers"),
             .help = "The customer to merge; deleted afterwards.",
             .required = true},
            {.name = "target_id",
             .type = api::id().referring_to("customers"),
             .help = "The customer to keep.",
             .required = true}};
}

}  // namespace

Result<Merged> Feature::plan(store::Session& session, std::int64_t from, std::int64_t to) const {
    if (from == to)
        return invalid("target_id", "A customer cannot be merged with itself."_sentence);
    auto source = record_.find(session, from);
    auto target = record_.find(session, to);
    if (!source || !target)
        return Error{errc::not_found, "Customer {from} does not exist."_sentence.with("from", source ? to : from)};
    if (source->user_id && target->user_id)
        return Error{errc::conflict, "Both customers have an account. Accounts cannot be merged."_sentence};
    CustomerRecord result = laid_together(*source, *target);
    auto shows = shown_to_account(session, *source, *target, result);
    return Merged{std::move(*source), std::move(*target), std::move(result),
                  facts::of_base().customers_rows(session, from), std::move(shows)};
}

// One of both has an account; what hangs on the other one is of another mailbox, which that account has not proven.
std::optional<ShownToAccount> Feature::shown_to_account(store::Session& session, const CustomerRecord& source,
                                                        const CustomerRecord& target,
                                                        const CustomerRecord& result) const {
    if (source.user_id.has_value() == target.user_id.has_value())
        return std::nullopt;
    const CustomerRecord &own = source.user_id ? source : target, &other = source.user_id ? target : source;
    ShownToAccount shown{.user_id = *own.user_id,
                         .email = Repository::account_email(session, *own.user_id).value_or("")};
    if (text::folded(other.email) == text::folded(shown.email))
        return std::nullopt;
    shown.other_email = other.email;
    shown.bookings = facts::of_base().rows_without_account(session, other.id);
    return shown.bookings > 0 || shows_more(own, result) ? std::optional(std::move(shown)) : std::nullopt;
}

Result<Merged> Feature::merge(store::Transaction& tx, std::int64_t from, std::int64_t to, const record::Writer& writer,
                              const std::optional<std::string>& account) const {
    auto merged = plan(tx, from, to);
    if (!merged)
        return merged;
    if (const auto& shows = merged->shows) {
        if (!account)
            return Error{
                errc::account_link_confirmation_required,
                "The account of {email} will see the data and the bookings of {other_email}. If both are one person, confirm it with that account's address."_sentence
                    .with("email", shows->email)
                    .with("other_email", shows->other_email)}
                .with("account", Value(shows->email).dump())
                .with("bookings", std::to_string(shows->bookings));
        if (text::folded(*account) != text::folded(shows->email))
            return invalid("confirm_account", "This is not the address of the account."_sentence);
        for (const std::int64_t id : {from, to})
            facts::of_base().give_to_account(tx, id, shows->user_id, writer.now);
    }
    Repository::keep_emails(tx, merged->source, merged->target, writer.now);
    facts::of_base().move_customers_rows(tx, from, to);
    Repository::let_go_of_user(tx, from);
    auto stored = customers_.change(
        tx, to, [&](CustomerRecord& customer, Faults&) { customer = merged->result; }, writer,
        merged->target.row_version);
    if (!stored)
        return stored.error();
    record_.remove(tx, from);
    merged->result = std::move(*record_.find(tx, to));  // with the new sums of the bookings
    return merged;
}

void Feature::follow_account(store::Transaction& tx, std::int64_t user_id, const std::string& email,
                             Instant now) const {
    const record::Writer writer{.user_id = user_id, .now = now};
    const auto own = Repository::id_of_user(tx, user_id);
    if (!own) {
        if (const auto id = Repository::own(tx, user_id, email, now))
            site_.hooks.emit(tx, customer_updated, {*id});
        return;
    }
    if (const auto other = Repository::find(tx, email); other && other->id != *own)
        if (!merge(tx, other->id, *own, writer))
            return;  // another account's: each keeps its record as it is
    static_cast<void>(customers_.change(
        tx, *own, [&](CustomerRecord& customer, Faults&) { customer.email = email; }, writer));
    Repository::drop_former(tx, email);
}

api::RouteSpec Feature::merge_route() const {
    api::RouteSpec spec{.method = api::Method::post,
                        .path = "/customers/merge",
                        .name = "mergeCustomers",
                        .who = Permission::can("svc_edit_customers"),
                        .summary =
                            "Merge a customer into another: moves bookings, payments, enquiries and the account,"
                            " blank fields are filled in, and the source is gone; the target is found by its address"
                            " too. An account sees the other customer's bookings only if it is confirmed.",
                        .body = two_customers().plus(
                            {{.name = "confirm_account",
                              .type = api::text(254),
                              .help = "The address of the account that will see the data and the bookings of the other"
                                      " customer; the preview tells whether it is needed."}}),
                        .answer = api::object(record_.answer_schema()),
                        .errors = {&errc::not_found, &errc::conflict, &errc::account_link_confirmation_required},
                        .stores_reply = true};
    spec.handle = [this](const Request& request) -> Reply {
        const auto answer = [&](const Merged& merged) { return api::ok(customer_json(merged.result, request.caller)); };
        try {
            const auto work = [&](store::Transaction& tx) {
                return merge(tx, request.body["source_id"].integer(), request.body["target_id"].integer(),
                             resource::writer_of(request), request.body.maybe_text("confirm_account"));
            };
            return api::respond_once(
                request, [&] { return site_.store.transact<Merged>(work); }, answer);
        } catch (const store::ConstraintViolation&) {  // something came to the source between move and removal
            return api::failed(errc::conflict);
        }
    };
    return spec;
}

api::RouteSpec Feature::preview_route() const {
    const api::Type customer = api::object(record_.answer_schema());
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/customers/merge",
        .name = "previewCustomerMerge",
        .who = Permission::can("svc_edit_customers"),
        .summary = "Preview the merge of two customers. Changes nothing.",
        .query = two_customers(),
        .answer = api::object({{.name = "source", .type = customer, .required = true},
                               {.name = "target", .type = customer, .required = true},
                               {.name = "result", .type = customer, .required = true},
                               {.name = "moved", .type = api::object(counts_answer()), .required = true},
                               {.name = "shown_to_account",
                                .type = api::object({{.name = "account", .type = api::text(254), .required = true},
                                                     {.name = "other", .type = api::text(254), .required = true},
                                                     {.name = "bookings", .type = api::integer(0), .required = true}})
                                            .or_null(),
                                .help = "Set if an account will see another address's data and bookings: the merge"
                                        " needs confirm_account.",
                                .required = true}}),
        .errors = {&errc::not_found, &errc::conflict}};
    spec.handle = [this](const Request& request) -> Reply {
        return api::respond(site_.store.reading<Result<Merged>>([&](store::Session& session) {
            return plan(session, request.query["source_id"].integer(), request.query["target_id"].integer());
        }),
                            [&](const Merged& merged) {
                                return api::ok(Value::object({{"source", customer_json(merged.source, request.caller)},
                                                              {"target", customer_json(merged.target, request.caller)},
                                                              {"result", customer_json(merged.result, request.caller)},
                                                              {"moved", merged.moved},
                                                              {"shown_to_account", shown_json(merged.shows)}}));
                            });
    };
    return spec;
}

api::RouteSpec Feature::duplicates_route() const {
    const api::Schema group{
        {.name = "reason", .type = api::choice({"email", "phone", "name_and_birthday"}), .required = true},
        {.name = "count", .type = api::integer(2), .help = "Number of customers in the group.", .required = true},
        {.name = "customers",
         .type = api::list(api::object(row_answer(record_)), most_of_a_group),
         .help = "The 20 oldest.",
         .required = true}};
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/customers/duplicates",
        .name = "listDuplicateCustomers",
        .who = Permission::can("svc_edit_customers"),
        .summary =
            "List possible duplicates: customers with the same mailbox, phone number, or name and date of birth;"
            " the first fifty groups of each kind.",
        .answer = api::list(api::object(group), 3 * most_groups)};
    spec.handle = [this, one_of = record_.select_of("r.id", "ORDER BY r.id")](const Request&) -> Reply {
        auto groups = Value::array();
        site_.store.read([&](store::Session& session) {
            groups = Value::array();
            for (const Repository::Group& each : Repository::duplicates(session, most_groups)) {
                auto rows = Value::array();
                const std::span first(each.ids.data(), std::min(each.ids.size(), most_of_a_group));
                for (const CustomerRecord& customer : record_.all_of(session, one_of, first))
                    rows.push(row_of(record_.to_json(customer)));
                groups.push(Value::object({{"reason", each.why},
                                           {"count", static_cast<std::int64_t>(each.ids.size())},
                                           {"customers", std::move(rows)}}));
            }
        });
        return api::ok(std::move(groups));
    };
    return spec;
}

}  // namespace svc::customers
