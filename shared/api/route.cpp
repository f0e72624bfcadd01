// Lists' common parameters and the replies handlers give.
#include "shared/api/route.hpp"

#include <algorithm>
#include <cstdint>

#include "shared/api/list_meta.hpp"

namespace svc::api {
namespace {

constexpr std::int64_t last_page = INT32_MAX;
constexpr std::int64_t most_in_a_file_page = 1'000;

const Type& whole_from_1() {
    static const Type type = page_sum();
    return type;
}

const Type& page_number() {
    static const Type type = integer(1, last_page);
    return type;
}

const Type& direction() {
    static const Type type = [] {
        Type order = choice({"asc", "desc"});
        order.any_case = true;
        return order;
    }();
    return type;
}

const Type& search_text() {
    static const Type type = text(200);
    return type;
}

Type statuses_of(const RouteSpec& route) {
    std::vector<std::string> values{"all"};
    values.insert(values.end(), route.statuses.begin(), route.statuses.end());
    Type one = choice(std::move(values));
    one.any_case = true;
    return one;
}

}  // namespace

std::string_view name_of(Method method) {
    switch (method) {
        case Method::get:
            return "GET";
        case Method::post:
            return "POST";
        case Method::put:
            return "PUT";
        case Method::patch:
            return "PATCH";
        case Method::del:
            break;
    }
    return "DELETE";
}

// The default page size: that of the route's own per_page if it declares one.
static std::int64_t default_per_page(const RouteSpec& route) {
    const Field* own = route.query.find("per_page");
    return own && own->otherwise ? own->otherwise->integer() : Page{}.per_page;
}

Result<Page> page_of(const RouteSpec& route, const json::Value& query) {
    std::vector<FieldError> faults;
    const auto read = [&](const char* name, const Type& type) -> json::Value {
        const json::Value* given = query.find(name);
        if (!given)
            return {};
        auto value = type.check(*given, name, true);
        if (value)
            return std::move(*value);
        faults.insert(faults.end(), value.error().fields().begin(), value.error().fields().end());
        return {};
    };
    Page page;
    page.ascending = route.ascending;
    page.per_page = default_per_page(route);
    if (const auto value = read("page", page_number()); !value.is_null())
        page.page = value.integer();
    if (const auto value = read("per_page", whole_from_1()); !value.is_null())
        // The route of a list's file reads it in larger pages; callers cannot name one there.
        page.per_page =
            std::min(value.integer(), route.path.ends_with("/export") ? most_in_a_file_page : most_per_page);
    if (const auto value = read("order", direction()); !value.is_null())
        page.ascending = value.text() == "asc";
    if (!route.sortable.empty()) {
        page.order_by = route.sortable.front();
        if (query.find("orderby"))
            if (const auto value = read("orderby", choice(route.sortable)); !value.is_null())
                page.order_by = value.text();
    }
    const auto search = read("search", search_text());
    if (route.ranked && !search.is_null() && !search.text().empty() && !query.find("orderby"))
        page.order_by = relevance;
    if (!route.statuses.empty() && query.find("status"))
        read("status", statuses_of(route));
    if (faults.empty())
        return page;
    Error error{errc::validation_error, faults.front().sentence};
    for (FieldError& fault : faults)
        error.at(std::move(fault.field), std::move(fault.sentence));
    return error;
}

Schema list_parameters(const RouteSpec& route) {
    Schema schema{
        {.name = "page", .type = page_number(), .help = "Page number, from 1.", .otherwise = json::Value{1}},
        {.name = "per_page",
         .type = whole_from_1(),
         .help = "Items per page, at most 100.",
         .otherwise = route.pages_on_request ? std::nullopt : std::optional(json::Value{default_per_page(route)})},
        {.name = "order",
         .type = direction(),
         .help = "Sort direction.",
         .otherwise = json::Value{route.ascending ? "asc" : "desc"}},
        {.name = "search", .type = search_text(), .help = "Only items that contain this text."},
    };
    if (!route.sortable.empty())
        schema = schema.plus(
            {{.name = "orderby",
              .type = choice(route.sortable),
              .help = route.ranked ? "Sort key; searches default to relevance." : "Sort key.",
              .otherwise = route.ranked ? std::nullopt : std::optional(json::Value{route.sortable.front()})}});
    if (!route.statuses.empty())
        schema = schema.plus({{.name = "status",
                               .type = statuses_of(route),
                               .help = "Only items of this status; defaults to all outside the trash."}});
    return schema;
}

Reply ok(json::Value data) {
    Reply reply;
    reply.data = std::move(data);
    return reply;
}

Reply created(json::Value data, std::string location) {
    Reply reply = ok(std::move(data));
    reply.status = 201;
    if (!location.empty())
        reply.headers.emplace_back("Location", std::move(location));
    return reply;
}

Reply list_reply(json::Value items, const Page& page, std::int64_t total) {
    Reply reply = ok(std::move(items));
    reply.page = PageMeta{page.page, page.per_page, total};
    return reply;
}

Reply prebuilt(std::shared_ptr<const std::string> body) {
    Reply reply;
    reply.raw = std::move(body);
    return reply;
}

Reply failed(Error error) { return Reply(std::move(error)); }

}  // namespace svc::api
