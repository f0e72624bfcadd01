// Routes by which a customer sees, adds and replaces answers and files of a booking.
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/desk/file_routes.hpp"
#include "base/sales/booking/form/files.hpp"
#include "shared/api/named.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Reply;
using api::Request;
using json::Value;

api::Type later_answer() {
    using namespace api;
    using api::text;
    const Schema field{
        {.name = "name", .type = text(200), .help = "Send the answer by this name.", .required = true},
        {.name = "section",
         .type = text(60),
         .help = "contact_form, emergency_contact_form or traveler_form.",
         .required = true},
        {.name = "traveler", .type = integer(1).or_null(), .help = "The traveler's place."},
        {.name = "field", .type = map(anything()), .help = "The field, as the form has it.", .required = true},
        {.name = "answer", .type = raw_text(10'000), .help = "Empty: not answered yet; of a file its code."}};
    return object(
        "LaterAnswers",
        {{.name = "until", .type = instant().or_null(), .help = "When it ends; null: nothing can be changed."},
         {.name = "fields",
          .type = list(object("LaterField", field), 10'000),
          .help = "The fields that can be answered now.",
          .required = true},
         {.name = "files",
          .type = list(form_file_answer(), 1000),
          .help = "All files of the booking.",
          .required = true}});
}

Reply shown(const FileRoutes& routes, const Booking& booking) {
    const auto fields = routes.later->open_fields(booking);
    const auto files = routes.store.reading<std::vector<form::KeptFile>>(
        [&](store::Session& session) { return form::FileRepository::of_booking(session, booking.id); });
    Value answered = Value::array();
    for (const form::KeptFile& file : files)
        if (file.is_answer)
            answered.push(file_json(file, routes.keyring));
    return api::ok(Value::object(
        {{"until", routes.later->is_open(booking) ? Value(*routes.later->until(booking)) : Value()},
         {"fields", json::array_of(fields,
                                   [](const LaterAnswers::Open& each) {
                                       return Value::object(
                                           {{"name", each.name},
                                            {"section", each.section},
                                            {"traveler", each.traveler ? Value(*each.traveler + 1) : Value()},
                                            {"field", each.field},
                                            {"answer", each.answer}});
                                   })},
         {"files", std::move(answered)}}));
}

Result<Booking> booking_of(const FileRoutes& routes, const Request& request) {
    auto booking = routes.records.find(request.path_id());
    return booking && booking->status != status::trash ? Result<Booking>(std::move(*booking)) : errc::booking_not_found;
}

}  // namespace

Actor customer_of(const Request& request) {
    Actor actor{.kind = "customer", .through = "token"};
    if (request.caller.is_user())
        actor = staff_of(request);
    actor.kind = "customer";
    return actor;
}

void add_later_answer_routes(api::RouteTable& routes, const FileRoutes& files) {
    const std::string path = "/customers/my-bookings/{id}/answers", module{plugin::slugs::dynamic_form_field};
    routes.add({.method = Method::get,
                .path = path,
                .who = files.reads_own,
                .module = module,
                .summary = "List the fields of a booking's form that its customer can still answer, and its files.",
                .query = {booking_token_field(), session_id_field()},
                .answer = later_answer(),
                .errors = {&errc::booking_not_found},
                .handle = [files](const Request& request) -> Reply {
                    SVC_ASSIGN_OR_RETURN(const auto booking, booking_of(files, request));
                    return shown(files, booking);
                }});
    routes.add({.method = Method::put,
                .path = path,
                .who = files.reads_own,
                .module = module,
                .summary = "Answer fields of a booking's form after booking, until the departure.",
                .query = {booking_token_field(), session_id_field()},
                .body = {{.name = "answers",
                          .type = api::map(api::anything()),
                          // Not required: whoever owns nothing is refused before the body is judged.
                          .help = "Answers by the names of the fields; those left out stay. Of a file its code."},
                         booking_token_field(),
                         session_id_field()},
                .answer = later_answer(),
                .errors = {&errc::booking_not_found, &errc::conflict},
                .repeats_safely = true,
                .handle = [files](const Request& request) -> Reply {
                    SVC_ASSIGN_OR_RETURN(const auto booking, booking_of(files, request));
                    const Value& sent = request.body["answers"];
                    return api::respond(
                        files.later->save(booking, sent.is_object() ? sent : Value::object(), customer_of(request)),
                        [&](const Booking& saved) { return shown(files, saved); });
                }});
}

}  // namespace svc::booking
