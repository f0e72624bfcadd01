// Each kind's routes from its declaration.
#include "base/catalog/classifications/routes.hpp"

#include <algorithm>

#include "base/catalog/classifications/wire.hpp"
#include "base/platform/html/refused.hpp"
#include "shared/api/bulk.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"
#include "shared/api/rehearsal.hpp"

namespace svc::catalog::classifications {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const api::Schema versioned{{.name = "row_version",
                             .type = api::integer(1).or_null(),
                             .says = "The version that was read; svc_conflict when it is another by now."},
                            {.name = "preserve_slug",
                             .type = api::boolean().or_null(),
                             .says = "true keeps the slug; false generates a new one from a changed name."}};

Permission may_read() { return Permission::any_of({"svc_view_trips", "svc_edit_trips", "svc_manage_trip_taxonomies"}); }

std::string with_article(const std::string& noun) {
    return (std::string_view("aeiou").find(noun.front()) == std::string_view::npos ? "a " : "an ") + noun;
}

api::Schema filters_of(const Kind& kind) {
    std::vector<api::Field> fields;
    if (kind.tree) {
        fields.push_back({.name = "hierarchical",
                          .type = api::boolean(),
                          .says = "Return only top-level records, each with its tree in subcategories."});
        fields.push_back({.name = "parent_id",
                          .type = api::integer(0),
                          .says = "Only direct children of this record; 0: top level."});
    }
    if (kind.type == Type::item)
        fields.push_back({.name = "type_id", .type = api::text(20), .says = "Only items of this type; all: any type."});
    if (kind.type == Type::attribute) {
        fields.push_back(*kind.own.find("field_type"));
        fields.back().otherwise.reset();
        for (const char* flag : {"show_on_frontend", "show_in_filters"})
            fields.push_back(
                {.name = flag, .type = api::boolean(), .says = "true: only featured records; false: only others."});
    }
    return api::Schema(std::move(fields)).plus(api::period_fields());
}

Result<Query> query_of(const Service& service, const Kind& kind, const Request& request, const api::Page& page) {
    const auto period = api::period_of(request.query, service.zone());
    if (!period)
        return period.error();
    Query query{.type = kind.type,
                .status = request.query.text_or("status"),
                .search = request.query.text_or("search"),
                .parent_id = request.query.maybe_integer("parent_id"),
                .field_type = request.query.text_or("field_type"),
                .show_on_frontend = request.query.maybe_boolean("show_on_frontend"),
                .show_in_filters = request.query.maybe_boolean("show_in_filters"),
                .made = *period,
                .order_by = page.order_by,
                .ascending = page.ascending,
                .limit = page.per_page,
                .offset = page.offset()};
    if (const auto type = request.query.text_or("type_id"); !type.empty() && type != "all") {
        const auto id = api::id().check(Value(type), "type_id");
        if (!id)
            return id.error();
        query.item_type_id = id->integer();
    }
    return query;
}

Reply list(const Service& service, const Kind& kind, const Request& request) {
    const auto page = api::page_of(*request.route, request.query);
    if (!page)
        return api::failed(page.error());
    auto query = query_of(service, kind, request, *page);
    if (!query)
        return api::failed(query.error());
    const bool as_tree = request.query.maybe_boolean("hierarchical").value_or(false);
    if (as_tree && !query->parent_id)
        query->parent_id = 0;
    const auto listed = service.list(*query, as_tree);
    auto items = Value::array();
    for (const Record& record : listed.records)
        items.push(as_tree ? tree_json(record, listed.below) : to_json(record));
    Reply reply = api::listed(std::move(items), *page, listed.total);
    if (kind.type == Type::item) {
        auto types = Value::array();
        for (const auto& [id, name] : service.names(Type::item_type))
            types.push(Value::object({{"id", id}, {"name", name}}));
        reply.more_meta = Value::object({{"available_types", std::move(types)}});
    }
    return reply;
}

Reply subcategories(const Service& service, const Kind& kind, const Request& request) {
    if (const auto parent = service.find(kind.type, request.path_id()); !parent)
        return api::failed(parent.error());
    const Query query{.type = kind.type,
                      .parent_id = request.path_id(),
                      .order_by = "sorting",
                      .ascending = true,
                      .limit = kind.most};
    auto items = Value::array();
    for (const Record& record : service.list(query).records)
        items.push(to_json(record));
    return api::ok(std::move(items));
}

template <class Answer>
Service::Kept kept(const Request& request, Answer answer) {
    if (!request.keep_reply)
        return {};
    return [&request, answer](store::Transaction& tx, const Record& record) { request.keep_reply(tx, answer(record)); };
}

Reply with_tag(Reply reply, const Record& record) {
    reply.headers.emplace_back("ETag", api::version_tag(record.row_version, reply.data));
    return reply;
}

Reply create(Service& service, const Kind& kind, const Request& request) {
    const auto answer = [&kind](const Record& record) {
        return with_tag(api::created(to_json(record), kind.path + "/" + std::to_string(record.id)), record);
    };
    return api::respond(
        service.create(kind.type, change_of(kind, request.body), request.caller.user_id, kept(request, answer)),
        answer);
}

// The version that the request's If-Match makes a condition, or row_version in its body.
Result<Service::Seen> version_seen(const Service& service, const Kind& kind, const Request& request) {
    return api::version_meant(request, [&]() -> Service::Seen {
        const auto record = service.find(kind.type, request.path_id());
        return record ? Service::Seen(record->row_version) : std::nullopt;
    });
}

Reply update(Service& service, const Kind& kind, const Request& request) {
    const auto answer = [](const Record& record) { return with_tag(api::ok(to_json(record)), record); };
    Change change = change_of(kind, request.body);
    const auto version = version_seen(service, kind, request);
    if (!version)
        return api::failed(version.error());
    change.row_version = *version;
    return api::respond(
        service.update(kind.type, request.path_id(), change, request.caller.user_id, kept(request, answer)), answer);
}

Reply remove(Service& service, const Kind& kind, const Request& request) {
    const auto seen = version_seen(service, kind, request);
    if (!seen)
        return api::failed(seen.error());
    Reply reply = api::ok(Value::object({{"id", request.path_id()}, {"deleted", true}}));
    const api::Keeping keeping(request, reply);
    const auto gone = service.remove(kind.type, request.path_id(), *seen);
    return gone ? std::move(reply) : api::failed(gone.error());
}

Reply bulk(Service& service, const Kind& kind, const Request& request) {
    const auto ids = api::bulk_ids_of(request.body);
    if (!ids)
        return api::failed(ids.error());
    const std::string action = request.body.text_or("action");
    const auto answer = [&](const std::vector<Outcome>& outcomes) { return api::ok(bulk_json(action, outcomes)); };
    Service::KeptOutcomes kept;
    if (request.keep_reply)
        kept = [&](store::Transaction& tx, const auto& outcomes) { request.keep_reply(tx, answer(outcomes)); };
    return api::respond(service.bulk(kind.type, action, *ids, request.caller.user_id, kept), answer);
}

api::Type list_answer_of(const Kind& kind) {
    auto answer = api::list(kind.tree ? tree_answer_of(kind) : answer_of(kind));
    if (kind.type != Type::item)
        return answer;
    const auto named =
        api::object("IdAndName", {{.name = "id", .type = api::id()}, {.name = "name", .type = api::text(255)}});
    return api::with_meta(answer, {{.name = "available_types", .type = api::list(named, 10'000)}});
}

void add_reads(api::RouteTable& routes, const Service& service, const Kind& kind) {
    routes.add({.method = Method::get,
                .path = kind.path,
                .who = may_read(),
                .summary = "List " + kind.many + "; those in the trash with status=trash.",
                .query = filters_of(kind),
                .is_list = true,
                .sortable = kind.sortable,
                .ascending = kind.ascending,
                .statuses = {"draft", "publish", "trash"},
                .answer = list_answer_of(kind),
                .handle = [&](const Request& request) { return list(service, kind, request); }});
    routes.add({.method = Method::get,
                .path = kind.path + "/stats",
                .who = may_read(),
                .summary = "Count " + kind.many + " by status; `all` excludes the trash.",
                .answer = counts_answer(),
                .handle = [&](const Request&) { return api::ok(to_json(service.counts(kind.type))); }});
    routes.add({.method = Method::get,
                .path = kind.path + "/{id}",
                .who = may_read(),
                .summary = "Return " + with_article(kind.one) + " of any status.",
                .answer = answer_of(kind),
                .errors = {&errc::not_found},
                .handle = [&](const Request& request) {
                    return api::respond(service.find(kind.type, request.path_id()), [&](const Record& record) {
                        return api::unless_known(request, with_tag(api::ok(to_json(record)), record));
                    });
                }});
    if (kind.type == Type::trip_category)
        routes.add({.method = Method::get,
                    .path = kind.path + "/{id}/subcategories",
                    .who = may_read(),
                    .summary = "List the direct children of " + with_article(kind.one) + ", in order.",
                    .answer = api::list(answer_of(kind), 100'000),
                    .errors = {&errc::not_found},
                    .handle = [&](const Request& request) { return subcategories(service, kind, request); }});
}

// Fields whose rules look at others.
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

void add_writes(api::RouteTable& routes, Service& service, const Kind& kind) {
    routes.add(
        {.method = Method::post,
         .path = kind.path,
         .who = Permission::any_of(kind.writers),
         .summary = "Create " + with_article(kind.one) + ", " +
                    (kind.fresh == Status::draft ? "a draft" : "published") + " unless a status is sent.",
         .body = fields_of(kind),
         .answer = api::object("Written" + answer_of(kind).members->name(),
                               answer_of(kind).members->plus(html::warnings_field())),
         .success = 201,
         .errors = {&errc::conflict},
         .keeps_own_reply = true,
         .handle =
             [&](const Request& request) {
                 return html::naming_refused(request, [&](const Request& one) { return create(service, kind, one); });
             },
         .rules =
             [&](const Request& request) {
                 return api::rehearsed(request, [&](const Request& trial) { return create(service, kind, trial); });
             },
         .beside = compared});
    routes.add(
        {.method = Method::put,
         .path = kind.path + "/{id}",
         .who = Permission::any_of(kind.writers),
         .summary = "Update " + with_article(kind.one) + "; setting its status moves it to the trash or restores it.",
         .body = fields_of(kind).partial().plus(versioned),
         .answer = api::object("Written" + answer_of(kind).members->name(),
                               answer_of(kind).members->plus(html::warnings_field())),
         .errors = {&errc::not_found, &errc::conflict},
         .keeps_own_reply = true,
         .handle =
             [&](const Request& request) {
                 return html::naming_refused(request, [&](const Request& one) { return update(service, kind, one); });
             },
         .rules =
             [&](const Request& request) {
                 return api::rehearsed(request, [&](const Request& trial) { return update(service, kind, trial); });
             },
         .beside = compared});
    routes.add({.method = Method::del,
                .path = kind.path + "/{id}",
                .who = Permission::any_of(kind.writers),
                .summary = "Permanently delete " + with_article(kind.one) +
                           (kind.type == Type::attribute ? ", with its values on trips."
                                                         : "; if it is in use, data.used_by lists where."),
                .answer = deleted_answer(),
                .errors = {&errc::not_found, &errc::conflict, &errc::in_use},
                .keeps_own_reply = true,
                .handle = [&](const Request& request) { return remove(service, kind, request); }});
    if (kind.bulk)
        routes.add({.method = Method::post,
                    .path = kind.path + "/bulk",
                    .who = Permission::any_of(kind.writers),
                    .summary = "Apply one action to several " + kind.many + ", independently of each other.",
                    .body = bulk_fields().named("ClassificationBulkBody"),
                    .answer = bulk_answer(),
                    .keeps_own_reply = true,
                    .handle = [&](const Request& request) { return bulk(service, kind, request); }});
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
    for (const Kind& kind : kinds()) {
        add_reads(routes, service, kind);
        add_writes(routes, service, kind);
    }
    const auto choice =
        api::object("IdAndName", {{.name = "id", .type = api::id()}, {.name = "name", .type = api::text(255)}});
    routes.add({.method = Method::get,
                .path = "/block-editor/{taxonomy}",
                .who = Permission::can("edit_posts"),
                .summary = "List the published names of a taxonomy for an editor's picker, at most 500.",
                .answer = api::object({{.name = "items", .type = api::list(choice)}}),
                .errors = {&errc::invalid_taxonomy},
                .handle = [&service](const Request& request) {
                    const auto type = taxonomy_of(request.path["taxonomy"].text());
                    if (!type)
                        return api::failed(Error{errc::invalid_taxonomy}.at("taxonomy", "Unknown taxonomy."));
                    auto items = Value::array();
                    for (const auto& [id, name] : service.names(*type))
                        items.push(Value::object({{"id", id}, {"name", name}}));
                    return api::ok(Value::object({{"items", std::move(items)}}));
                }});
}

}  // namespace svc::catalog::classifications
