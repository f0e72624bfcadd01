// Declares a resource's routes by its record.
#include <algorithm>
#include <string>
#include <vector>

#include "shared/api/bulk.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "shared/resource/resource.hpp"

namespace svc::resource {
namespace {

using api::Method;
using api::Request;

api::Type bulk_answer() {
    const api::Schema result =
        api::Schema{{.name = "id", .type = api::id(), .required = true},
                    {.name = "ok", .type = api::boolean(), .required = true},
                    api::sometimes_sent({.name = "code", .type = api::text(100), .help = "Error code of a failure."}),
                    api::sometimes_sent({.name = "error", .type = api::text(500), .help = "Message of a failure."})}
            .named("BulkResult");
    return api::object(api::Schema{{.name = "action", .type = api::text(40), .required = true},
                                   {.name = "affected", .type = api::integer(0), .required = true},
                                   {.name = "failed", .type = api::integer(0), .required = true},
                                   {.name = "results", .type = api::list(api::object(result)), .required = true}}
                           .named("BulkOutcome"));
}

}  // namespace

const std::vector<std::string>& Routes::headers() {
    static const std::vector<std::string> names{"if-match", "if-none-match"};
    return names;
}

api::RouteSpec Routes::spec(Method method, const std::string& below, api::Permission who, std::string summary) const {
    api::RouteSpec spec{.method = method, .path = engine_->options().path + below, .who = std::move(who), .handle = {}};
    spec.module = engine_->options().module;
    spec.summary = std::move(summary);
    return spec;
}

api::RouteSpec Routes::write_spec(Method method, const std::string& below, std::string summary) const {
    auto route = spec(method, below, engine_->options().writes, std::move(summary));
    route.answer = api::object(wire_.answer_schema());
    route.errors = {&errc::not_found, &errc::conflict};
    route.has_etag = table_.has("row_version");
    route.stores_reply = true;
    return route;
}

api::RouteSpec Routes::list_route() const {
    const Options& options = engine_->options();
    auto route =
        spec(Method::get, "", options.reads,
             "List " + options.many + (table_.statuses().empty() ? "." : "; those in the trash with status=trash."));
    route.is_list = true;
    route.query = table_.has("created_at") ? options.filters.plus(api::period_fields()) : options.filters;
    if (table_.has("updated_at"))
        route.query = route.query.plus(api::updated_since_field());
    route.sortable = table_.sort_keys();
    route.ascending = options.ascending;
    route.statuses = table_.statuses();
    route.columns = table_.list_columns();
    route.answer = api::list(api::object(wire_.answer_schema()), 100);
    route.handle = [engine = engine_](const Request& request) { return engine->list(request); };
    return route;
}

api::RouteSpec Routes::read_route() const {
    auto route =
        spec(Method::get, "/{id}", engine_->options().reads, "Return " + with_article(engine_->options().one) + ".");
    route.answer = api::object(wire_.answer_schema());
    route.errors = {&errc::not_found};
    route.has_etag = table_.has("row_version");
    route.handle = [engine = engine_](const Request& request) { return engine->read(request); };
    return route;
}

api::RouteSpec Routes::create_route() const {
    auto route = write_spec(Method::post, "", "Create " + with_article(engine_->options().one) + ".");
    route.body = wire_.create_schema();
    route.success = 201;
    route.errors = {&errc::conflict};
    route.handle = [engine = engine_](const Request& request) { return engine->create(request); };
    route.rules = [engine = engine_](const Request& request) { return engine->faults_of(request, true); };
    return route;
}

api::RouteSpec Routes::update_route() const {
    auto route = write_spec(Method::put, "/{id}", "Update " + with_article(engine_->options().one) + ".");
    route.body = wire_.update_schema();
    route.handle = [engine = engine_](const Request& request) { return engine->update(request); };
    route.rules = [engine = engine_](const Request& request) { return engine->faults_of(request, false); };
    return route;
}

api::RouteSpec Routes::remove_route() const {
    auto route = write_spec(Method::del, "/{id}", "Delete " + with_article(engine_->options().one) + ".");
    route.who = engine_->options().removes;
    if (!table_.statuses().empty() && !engine_->options().deletes_at_once)
        route.summary =
            "Move " + with_article(engine_->options().one) + " to the trash; delete one in the trash permanently.";
    route.answer = api::deleted();
    route.errors = {&errc::not_found, &errc::conflict, &errc::in_use};
    route.has_etag = false;
    route.handle = [engine = engine_](const Request& request) { return engine->remove(request); };
    return route;
}

api::RouteSpec Routes::trash_route() const {
    auto route =
        write_spec(Method::post, "/{id}/trash", "Move " + with_article(engine_->options().one) + " to the trash.");
    route.who = engine_->options().removes;
    route.errors = {&errc::not_found, &errc::conflict, &errc::in_use};
    route.handle = [engine = engine_](const Request& request) { return engine->trash(request); };
    return route;
}

api::RouteSpec Routes::restore_route() const {
    auto route = write_spec(Method::post, "/{id}/restore",
                            "Restore " + with_article(engine_->options().one) + " from the trash.");
    route.handle = [engine = engine_](const Request& request) { return engine->restore(request); };
    return route;
}

api::RouteSpec Routes::bulk_route(Method method) const {
    std::vector<std::string> actions;
    for (const BulkAction& action : engine_->options().bulk)
        actions.push_back(action.name);
    auto route = spec(method, "/bulk", engine_->options().writes,
                      "Apply one action to several " + engine_->options().many + ", independently of each other.");
    route.body = api::Schema{{.name = "action", .type = api::choice(std::move(actions)), .required = true},
                             api::bulk_ids_field()};
    route.answer = bulk_answer();
    route.stores_reply = true;
    route.handle = [engine = engine_](const Request& request) { return engine->bulk(request); };
    return route;
}

api::RouteSpec Routes::stats_route() const {
    auto route = spec(Method::get, "/stats", engine_->options().reads,
                      "Count " + engine_->options().many + " by status; `all` excludes the trash.");
    std::vector<std::string> statuses = table_.statuses();
    std::ranges::sort(statuses);
    std::vector<api::Field> fields{{.name = "all", .type = api::integer(0), .required = true}};
    for (const std::string& status : statuses)
        fields.push_back({.name = status, .type = api::integer(0), .required = true});
    // Most resources have the same three statuses, whose counts OpenAPI describes once.
    const bool is_usual = statuses == std::vector<std::string>{"draft", "publish", "trash"};
    const api::Schema counts(std::move(fields));
    route.answer = api::object(is_usual ? counts.named("StatusCounts") : counts);
    route.handle = [engine = engine_](const Request& request) { return engine->counts(request); };
    return route;
}

api::RouteSpec Routes::reorder_route() const {
    auto route = spec(Method::post, "/orders", engine_->options().writes, "Reorder " + engine_->options().many + ".");
    const auto order = api::object(
        {{.name = "id", .type = api::id(), .required = true},
         {.name = table_.layout().place, .type = table_.find_column(table_.layout().place)->type, .required = true}});
    route.body = {{.name = "orders", .type = api::list(order, 1000, 1), .required = true}};
    route.answer = api::object({{.name = "updated", .type = api::integer(0), .required = true}});
    route.stores_reply = true;
    route.handle = [engine = engine_](const Request& request) { return engine->reorder(request); };
    return route;
}

api::RouteSpec Routes::action_route(const std::string& name, std::string summary, api::Schema body,
                                    Change change) const {
    auto route = write_spec(Method::post, "/{id}/" + name, std::move(summary));
    route.body = std::move(body);
    route.handle = [engine = engine_, change = std::move(change)](const Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto version, engine->version_of(request));
        return engine->write(request, false, [&](store::Transaction& tx) { return change(tx, request, version); });
    };
    return route;
}

}  // namespace svc::resource
