// RouteSpecs by which staff make and change bookings.
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/checkout/routes.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/record/masking.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/core/country.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

api::Type edited_booking_type() { return api::object("StaffBooking", staff_booking_answer()); }

std::string status_in(const Value& body) {
    std::string new_status = body.text_or("status");
    return new_status == "on_hold" ? std::string(status::on_hold) : new_status;
}

// Maps a booking's JSON to the names of the fields. A booking sent back with one change has some values twice: the one
// that differs from `stored` was intended.
Value by_own_names(Value body, const Booking* stored) {
    const auto use_alias = [&](const char* name, const Value& value, std::string Booking::*member) {
        const auto sent = body.maybe_text(name);
        if (!value.is_null() && (!sent || (stored && *sent == stored->*member)))
            body.set(name, value);
    };
    const Value contact = body["contact"], word = body["booking_status"];
    if (contact.is_object()) {
        use_alias("contact_first_name", contact["first_name"], &Booking::first_name);
        use_alias("contact_last_name", contact["last_name"], &Booking::last_name);
        use_alias("contact_email", contact["email"], &Booking::email);
        use_alias("contact_phone", contact["phone"], &Booking::phone);
        use_alias("contact_country", contact["country"], &Booking::country);
    }
    use_alias("status", word, &Booking::status);
    return body;
}

Result<void> may_set_status(const Request& request) {
    const bool sets = request.body.find("status") || request.body.find("booking_status");
    if (!sets || request.caller.can("svc_change_booking_status"))
        return {};
    return Error{errc::forbidden, "Setting a status requires the permission svc_change_booking_status."_sentence};
}

std::optional<std::string> amount(const Value& body, const char* name) {
    return body[name].is_number() ? std::optional(body[name].number_text()) : std::nullopt;
}

// The right to create bookings does not include the right to record payments.
Result<void> may_record(const Request& request) {
    if (request.caller.can("svc_edit_bookings"))
        return {};
    const auto paid = amount(request.body, "amount_paid");
    const bool is_sum = paid && paid->find_first_of("123456789") != std::string::npos;
    if (!is_sum && request.body.text_or("payment_status") != "paid")
        return {};
    Error error{errc::forbidden, "Recording a payment requires the permission svc_edit_bookings."_sentence};
    return error.at(is_sum ? "amount_paid" : "payment_status", error.message());
}

std::optional<std::string> country_in(const Value& body) {
    const auto country = body.maybe_text("contact_country");
    return country ? std::optional(country_as_code(*country)) : std::nullopt;
}

pricing::ByHand by_hand_of(const Value& body) {
    pricing::ByHand by_hand{.tax_amount = amount(body, "tax_amount"),
                            .tax_inclusive = body.maybe_boolean("tax_inclusive")};
    if (const Value& charges = body["itinerary_costs"]; charges.is_array())
        by_hand.charges = charges;
    if (body["tax_rate"].is_number())
        if (const auto rate = Rate::parse_percent(body["tax_rate"].number_text()))
            by_hand.tax_rate = *rate;
    return by_hand;
}

void take_answers(const Request& request, NewBooking& draft) {
    if (const Value& answers = request.body["contact_data"]; answers.is_object())
        draft.contact_data = answers;
    if (const Value& answers = request.body["emergency_contact"]; answers.is_object())
        draft.emergency = answers;
    take_own_answers(request, draft);
}

NewBooking booking_by_staff(const Request& request) {
    const Value body = by_own_names(request.body, nullptr);
    NewBooking draft{.choice = choice_of(body),
                     .contact = {.first_name = body.text_or("contact_first_name"),
                                 .last_name = body.text_or("contact_last_name"),
                                 .email = body.text_or("contact_email"),
                                 .phone = body.text_or("contact_phone"),
                                 .country = country_as_code(body.text_or("contact_country")),
                                 .user_id = body.maybe_integer("user_id")},
                     .travelers = Value::array(),
                     .gateway = body.text_or("payment_gateway"),
                     .special_requests = body.text_or("special_requests"),
                     .internal_notes = body.text_or("internal_notes"),
                     .locale = body.text_or("locale"),
                     .join_waitlist = body.maybe_boolean("join_waitlist").value_or(false),
                     .customer_id = body.maybe_integer("customer_id"),
                     .enquiry_id = body.maybe_integer("enquiry_id"),
                     .status = status_in(body),
                     .total = amount(body, "total"),
                     .paid = amount(body, "amount_paid"),
                     .payment_status = body.text_or("payment_status"),
                     .by_hand = by_hand_of(body)};
    if (const Value& travelers = body["travelers"]; travelers.is_array())
        draft.travelers = travelers;
    take_answers(request, draft);
    return draft;
}

std::vector<FieldError> faults_of_new(const DeskRoutes& staff, const Request& request) {
    NewBooking draft = booking_by_staff(request);
    auto faults = staff.desk.faults_at_desk(draft);
    if (const auto others = staff.creator.faults("", draft, request.caller))
        faults.insert(faults.end(), others->begin(), others->end());
    use_sent_names(faults, request.body);
    return faults;
}

// Other fields that the rules compare a field with.
std::vector<std::pair<std::string_view, std::string_view>> compared() {
    auto pairs = form_answer_pairs();
    pairs.insert(pairs.end(), {{"contact_*", "contact"},
                               {"contact_email", "customer_id"},
                               {"contact_first_name", "customer_id"},
                               {"coupon_code", "recalculate"},
                               {"itinerary_costs", "recalculate"},
                               {"tax_rate", "recalculate"},
                               {"tax_inclusive", "recalculate"},
                               {"tax_amount", "recalculate"},
                               {"travelers", "trip_id"}});
    return pairs;
}

Reply created(const DeskRoutes& staff, const Request& request) {
    for (const auto& may : {may_set_status(request), may_record(request)})
        if (!may)
            return api::failed(may.error());
    SVC_ASSIGN_OR_RETURN(const auto forced, forced_of(request));
    NewBooking draft = booking_by_staff(request);
    draft.forced = forced;
    draft.made_by = staff_of(request);
    const auto answer = [](const CreatedBooking& booked, Value detail) {
        return api::created(std::move(detail), "/bookings/" + std::to_string(booked.booking.id));
    };
    const auto keeping =
        api::StoreReply::of<CreatedBooking>(request, [&](store::Transaction& tx, const CreatedBooking& booked) {
            return answer(booked, booking_for(request.caller, staff.records.detail(tx, booked.booking)));
        });
    auto booked = staff.desk.create_for_customer(std::move(draft), request.caller);
    if (!booked)
        return api::failed(by_field(std::move(booked.error()), request));
    return answer(*booked, booking_for(request.caller, staff.records.detail(booked->booking, true)));
}

Edit edit_of(const DeskRoutes& staff, const Request& request) {
    const bool as_told = request.body["contact"].is_object() || request.body.find("booking_status");
    const auto stored = as_told ? staff.records.seen(request.path_id(), request.caller) : std::nullopt;
    const Value body = by_own_names(request.body, stored ? &*stored : nullptr);
    Edit edit{.first_name = body.maybe_text("contact_first_name"),
              .last_name = body.maybe_text("contact_last_name"),
              .phone = body.maybe_text("contact_phone"),
              .country = country_in(body),
              .special_requests = body.maybe_text("special_requests"),
              .internal_notes = body.maybe_text("internal_notes"),
              .email = body.maybe_text("contact_email"),
              .choice = choice_of(body),
              .recalculate = body.maybe_boolean("recalculate").value_or(false),
              .total = amount(body, "total"),
              .paid = amount(body, "amount_paid"),
              .by_hand = by_hand_of(body),
              .gateway = body.maybe_text("payment_gateway"),
              .payment_status = body.maybe_text("payment_status"),
              .cancellation_reason = body.text_or("cancellation_reason"),
              .needs_attention = body.maybe_boolean("needs_attention"),
              .payments_known = !body.maybe_boolean("payments_unknown").value_or(true),
              .customer_id = body.maybe_integer("customer_id")};
    if (const Value* time = body.find("departure_time"))
        edit.without_time = time->is_null();
    edit.user_id = body.maybe_integer("user_id");
    if (const Value* user = body.find("user_id"))
        edit.without_user = user->is_null();
    if (const Value& travelers = body["travelers"]; travelers.is_array())
        edit.travelers = travelers;
    if (const std::string status = status_in(body); !status.empty())
        edit.status = status;
    NewBooking answers;
    take_answers(request, answers);
    edit.contact_data = std::move(answers.contact_data);
    edit.emergency = std::move(answers.emergency);
    return edit;
}

void add_writing(api::RouteTable& routes, const DeskRoutes& staff) {
    const api::Schema making = party_fields().changed(
        [](api::Field& field) { field.required = field.name == "trip_id" || field.name == "travel_date"; });
    routes.add({.method = Method::post,
                .path = "/bookings",
                .who = Permission::can("svc_create_bookings"),
                .summary = "Create a booking for a customer, given by customer_id or by the contact's name and e-mail.",
                .body = making.plus(contact_fields())
                            .plus(by_hand_fields())
                            .plus({locale_field(),
                                   {.name = "customer_id", .type = api::id().or_null(), .help = "Id of the customer."},
                                   {.name = "enquiry_id",
                                    .type = api::id().or_null(),
                                    .help = "The enquiry that becomes this booking."},
                                   {.name = "user_id",
                                    .type = api::id().or_null(),
                                    .help = "Id of the user who owns the booking."},
                                   {.name = "join_waitlist",
                                    .type = api::boolean(),
                                    .help = "Join the waitlist when too few seats are left."},
                                   force_field()}),
                .answer = edited_booking_type(),
                .success = 201,
                .errors = {&errc::trip_not_found, &errc::date_unavailable, &errc::date_blocked, &errc::sold_out,
                           &errc::group_size, &errc::customer_blocked, &errc::payment_method_unavailable,
                           &errc::invalid_transition, &unknown_code, &errc::invalid_gateway},
                .stores_reply = true,
                .handle = [staff](const Request& request) { return created(staff, request); },
                .rules = [staff](const Request& request) { return faults_of_new(staff, request); },
                .beside = compared()});
    routes.add(
        {.method = Method::put,
         .path = "/bookings/{id}",
         .who = Permission::can("svc_edit_bookings"),
         .summary = "Update a booking. Changing trip, date or party moves its seats; the price is kept unless"
                    " recalculate or total is sent.",
         .body = party_fields()
                     .plus(contact_fields())
                     .plus(by_hand_fields())
                     .plus({{.name = "recalculate", .type = api::boolean(), .help = "Recalculate the price."},
                            {.name = "cancellation_reason",
                             .type = api::text(500).or_null(),
                             .help = "Reason, with status cancelled."},
                            {.name = "customer_id",
                             .type = api::id().or_null(),
                             .help = "Id of the customer; does not change the contact."},
                            {.name = "user_id",
                             .type = api::id().or_null(),
                             .help = "Id of the user who owns the booking; null for none."},
                            {.name = "needs_attention", .type = api::boolean(), .help = "false marks it as handled."},
                            {.name = "payments_unknown",
                             .type = api::boolean(),
                             .help = "false: the payments of a migrated booking are recorded; true changes nothing."},
                            {.name = "row_version",
                             .type = api::integer(1),
                             .help = "The version that was read; returns 409 if the booking changed since."},
                            force_field()}),
         .answer = edited_booking_type(),
         .errors = {&errc::booking_not_found, &errc::conflict, &errc::trip_not_found, &errc::date_unavailable,
                    &errc::date_blocked, &errc::sold_out, &errc::group_size, &errc::payment_method_unavailable,
                    &errc::invalid_transition, &unknown_code, &errc::invalid_gateway},
         .stores_reply = true,
         .handle = [staff](const Request& request) -> Reply {
             SVC_RETURN_IF_ERROR(may_set_status(request));
             SVC_ASSIGN_OR_RETURN(const auto forced, forced_of(request));
             Edit edit = edit_of(staff, request);
             edit.forced = forced;
             auto version = api::required_version(request, [&]() -> std::optional<std::int64_t> {
                 const auto booking = staff.records.seen(request.path_id(), request.caller);
                 return booking ? std::optional(booking->row_version) : std::nullopt;
             });
             if (!version)
                 return api::failed(version.error());
             edit.row_version = *version;
             const auto keeping =
                 api::StoreReply::of<Booking>(request, [&](store::Transaction& tx, const Booking& booking) {
                     return api::ok(booking_for(request.caller, staff.records.detail(tx, booking)));
                 });
             auto edited = staff.desk.edit(request.path_id(), edit, staff_of(request));
             if (!edited)
                 return api::failed(by_field(std::move(edited.error()), request));
             return api::ok(booking_for(request.caller, staff.records.detail(*edited, true)));
         },
         .rules =
             [staff](const Request& request) {
                 auto faults = staff.desk.faults_of_edit(request.path_id(), edit_of(staff, request));
                 use_sent_names(faults, request.body);
                 return faults;
             },
         .beside = compared()});
}

}  // namespace

void add_edit_routes(api::RouteTable& routes, const DeskRoutes& staff) {
    add_writing(routes, staff);
    add_removal_routes(routes, staff);
}

}  // namespace svc::booking
