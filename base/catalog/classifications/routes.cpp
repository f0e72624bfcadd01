// The routes of each kind: those of its resource, with the differences.
#include "base/catalog/classifications/routes.hpp"

#include "base/catalog/classifications/record.hpp"
#include "base/catalog/classifications/service.hpp"
#include "base/catalog/classifications/wire.hpp"
#include "base/platform/html/refused.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"

namespace svc::catalog::classifications {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

using Handle = std::function<Reply(const Request&)>;

// Pages of the top, each with its branch.
Reply list_tree(const Service& service, const Kind& kind, Request request, const Handle& list) {
    if (!request.query.find("parent_id"))
        request.query.set("parent_id", 0);
    const auto page = api::page_of(*request.route, request.query);
    Reply reply = list(request);
    if (reply.error || !page)
        return reply;
    const auto below = service.list(kind.type, {.status = request.query.text_or("status"),
                                                .filters = {{"below", std::int64_t{0}}},
                                                .order_by = page->order_by,
                                                .ascending = page->ascending,
                                                .limit = kind.most});
    auto items = Value::array();
    for (const Value& top : reply.data.items())
        items.push(tree_json(top, below));
    reply.data = std::move(items);
    return reply;
}

Reply list_items(const Service& service, Request request, const Handle& list) {
    const auto type = request.query.text_or("type_id");
    request.query.erase("type_id");
    if (!type.empty() && type != "all") {
        SVC_ASSIGN_OR_RETURN(const auto id, api::id().check(Value(type), "type_id"));
        request.query.set("type_id", id);
    }
    Reply reply = list(request);
    auto types = Value::array();
    for (const auto& [id, name] : service.names(Type::item_type))
        types.push(Value::object({{"id", id}, {"name", name}}));
    reply.more_meta = Value::object({{"available_types", std::move(types)}});
    return reply;
}

Reply subcategories(const Service& service, const Kind& kind, const Request& request) {
    auto items = Value::array();
    for (const auto& one : service.list(kind.type, {.filters = {{"parent_id", request.path_id()}},
                                                   .order_by = "sorting",
                                                   .ascending = true,
                                                   .limit = kind.most}))
        items.push(to_json(one));
    return api::ok(std::move(items));
}

api::RouteSpec list_route(const Service& service, const Kind& kind) {
    auto list = service.resource(kind.type).list_route();
    if (kind.tree) {
        list.answer = api::list(tree_answer_of(kind));
        list.handle = [&service, &kind, handle = std::move(list.handle)](const Request& request) {
            const bool as_tree = request.query.maybe_boolean("hierarchical").value_or(false);
            return as_tree ? list_tree(service, kind, request, handle) : handle(request);
        };
    } else if (kind.type == Type::item) {
        const auto named = api::object({{.name = "id", .type = api::id()}, {.name = "name", .type = api::text(255)}});
        list.answer = api::with_meta(list.answer, {{.name = "available_types", .type = api::list(named, 10'000)}});
        list.handle = [&service, handle = std::move(list.handle)](const Request& request) {
            return list_items(service, request, handle);
        };
    }
    return list;
}

// Fields whose rules depend on other fields.
const std::vector<std::pair<std::string_view, std::string_view>> compared{{"age_max", "age_min"},
                                                                          {"max_pax", "min_pax"},
                                                                          {"max_pax", "group_overflow"},
                                                                          {"longitude", "latitude"},
                                                                          {"latitude", "longitude"},
                                                                          {"field_options", "field_type"},
                                                                          {"filter_type", "field_type"},
                                                                          {"default_value", "field_type"},
                                                                          {"default_value", "field_options"},
                                                                          {"default_value", "validation_rules"}};

api::RouteSpec written(const Kind& kind, api::RouteSpec spec) {
    spec.body = with_written_forms(kind, spec.body);
    spec.answer = api::object(component_of(kind) + "Written", spec.answer.members->plus(html::warnings_field()));
    spec.beside = compared;
    spec.handle = [handle = std::move(spec.handle)](const Request& request) {
        return html::naming_refused(request, [&](const Request& one) { return handle(one); });
    };
    return spec;
}

void add_kind(api::RouteTable& routes, const Service& service, const Kind& kind) {
    const auto& resource = service.resource(kind.type);
    auto read = resource.read_route(), remove = resource.remove_route();
    auto create = written(kind, resource.create_route()), update = written(kind, resource.update_route());
    const std::string noun = resource::with_article(kind.one);
    read.summary = "Return " + noun + " of any status.";
    create.summary = "Create " + noun + ", " + (kind.initial == Status::draft ? "a draft" : "published") +
                     " unless a status is given.";
    update.summary = "Update " + noun + "; its status can move it to the trash or restore it.";
    remove.summary = "Delete " + noun + " permanently" +
                     (kind.type == Type::attribute ? ", with its values on trips."
                                                   : "; svc_in_use lists its references in data.used_by.");
    for (const auto& spec : {list_route(service, kind), resource.stats_route(), read, create, update, remove})
        routes.add(spec);
    if (kind.bulk)
        routes.add(resource.bulk_route());
    if (kind.type == Type::trip_category)
        routes.add({.method = Method::get,
                    .path = kind.path + "/{id}/subcategories",
                    .who = read.who,
                    .summary = "List the direct subcategories of " + noun + ", in order.",
                    .answer = api::list(answer_of(kind), 100'000),
                    .errors = {&errc::not_found},
                    .handle = [&service, &kind, handle = read.handle](const Request& request) {
                        Reply parent = handle(request);
                        return parent.error ? parent : subcategories(service, kind, request);
                    }});
}

// Singular, plural and path of the kinds that editors pick from.
std::optional<Type> taxonomy_of(std::string_view name) {
    static constexpr std::pair<std::string_view, Type> names[] = {{"destination", Type::destination},
                                                                  {"destinations", Type::destination},
                                                                  {"activity", Type::activity},
                                                                  {"activities", Type::activity},
                                                                  {"trip_category", Type::trip_category},
                                                                  {"trip_categories", Type::trip_category},
                                                                  {"trip-categories", Type::trip_category},
                                                                  {"difficulty", Type::difficulty},
                                                                  {"difficulties", Type::difficulty},
                                                                  {"difficulty_levels", Type::difficulty},
                                                                  {"difficulty-levels", Type::difficulty},
                                                                  {"difficulty_level", Type::difficulty}};
    for (const auto& [known, type] : names)
        if (known == name)
            return type;
    return std::nullopt;
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& service) {
    for (const Kind& kind : kinds())
        add_kind(routes, service, kind);
    const auto choice = api::object({{.name = "id", .type = api::id()}, {.name = "name", .type = api::text(255)}});
    routes.add({.method = Method::get,
                .path = "/block-editor/{taxonomy}",
                .who = Permission::can("edit_posts"),
                .summary = "List the published names of a taxonomy for an editor's picker, at most 500.",
                .answer = api::object({{.name = "items", .type = api::list(choice)}}),
                .errors = {&errc::invalid_taxonomy},
                .handle = [&service](const Request& request) {
                    const auto type = taxonomy_of(request.path["taxonomy"].text());
                    if (!type)
                        return api::failed(Error{errc::invalid_taxonomy}.at("taxonomy", "Unknown taxonomy."_sentence));
                    auto items = Value::array();
                    for (const auto& [id, name] : service.names(*type))
                        items.push(Value::object({{"id", id}, {"name", name}}));
                    return api::ok(Value::object({{"items", std::move(items)}}));
                }});
}

}  // namespace svc::catalog::classifications
