// The sample catalogue by the interface.
#include "base/data/samples/routes.hpp"

#include <algorithm>

#include "shared/api/named.hpp"

namespace svc::samples {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

json::Value to_json(const SampleCounts& counts) {
    return json::Value::object({{"trips", counts.trips},
                                {"departures", counts.departures},
                                {"rules", counts.rules},
                                {"classifications", counts.classifications},
                                {"media", counts.media},
                                {"bookings", counts.bookings},
                                {"pages", 0},
                                {"kept", counts.kept}});
}

api::Type counts_answer() {
    std::vector<api::Field> fields;
    for (const char* name : {"trips", "departures", "rules", "classifications", "media", "bookings", "pages", "kept"})
        fields.push_back({.name = name, .type = api::integer(0)});
    return api::object("SampleCounts", api::Schema(std::move(fields)));
}

Reply import(Samples& samples, const Request& request) {
    const auto* types = request.body.find("data_types");
    const bool all = !types || types->is_null() || types->size() == 0;
    const auto named = [&](std::string_view name) {
        return all || std::any_of(types->items().begin(), types->items().end(),
                                  [&](const json::Value& type) { return type.text() == name; });
    };
    const auto what = named("bookings") ? Samples::What::bookings
                      : named("trips")  ? Samples::What::trips
                                        : Samples::What::classes;
    return api::respond(samples.import(request.body.maybe_boolean("overwrite").value_or(false), what),
                        [](const SampleCounts& counts) { return api::ok(to_json(counts)); });
}

Reply status(const Samples& samples) {
    const SampleStatus status = samples.status();
    return api::ok(json::Value::object({{"is_imported", status.is_imported},
                                        {"import_date", status.import_date},
                                        {"counts", json::Value::object({{"trips", status.trips},
                                                                        {"classifications", status.classifications},
                                                                        {"bookings", status.bookings},
                                                                        {"discounts", 0}})},
                                        {"has_data", status.trips + status.classifications + status.bookings > 0}}));
}

}  // namespace

void add_routes(api::RouteTable& routes, Samples& samples) {
    const auto who = Permission::can("svc_manage_settings");
    routes.add(
        {.method = Method::post,
         .path = "/sample-data/import",
         .who = who,
         .summary = "Load the sample catalogue: trips with classifications, dates and some bookings."
                    " Sends no notifications.",
         .body = {{.name = "data_types",
                   .type =
                       api::list(api::choice({"trips", "categories", "destinations", "bookings", "pages"})).or_null(),
                   .help =
                       "Parts to load; bookings include trips, without trips only classifications are loaded; pages has"
                       " no effect. Default: all."},
                  {.name = "overwrite", .type = api::boolean(), .help = "Remove previously loaded samples first."}},
         .answer = counts_answer(),
         .errors = {&errc::conflict},
         .repeats_safely = true,
         .handle = [&samples](const Request& request) { return import(samples, request); }});
    routes.add({.method = Method::get,
                .path = "/sample-data/status",
                .who = who,
                .summary = "Return whether the sample catalogue is loaded.",
                .answer = api::object({{.name = "is_imported", .type = api::boolean()},
                                       {.name = "import_date", .type = api::instant().or_null()},
                                       {.name = "counts",
                                        .type = api::object({{.name = "trips", .type = api::integer(0)},
                                                             {.name = "classifications", .type = api::integer(0)},
                                                             {.name = "bookings", .type = api::integer(0)},
                                                             {.name = "discounts", .type = api::integer(0)}})},
                                       {.name = "has_data", .type = api::boolean()}}),
                .handle = [&samples](const Request&) { return status(samples); }});
    routes.add({.method = Method::del,
                .path = "/sample-data/cleanup",
                .who = who,
                .summary = "Remove the sample catalogue; records used elsewhere are kept.",
                .answer = counts_answer(),
                .repeats_safely = true,
                .handle = [&samples](const Request&) {
                    return api::respond(samples.clean_up(),
                                        [](const SampleCounts& counts) { return api::ok(to_json(counts)); });
                }});
}

}  // namespace svc::samples
