// The log by the interface.
#include "base/maintenance/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/text.hpp"

namespace svc::maintenance {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const std::vector<std::string> log_types{"error", "payment", "booking", "system", "all"};

Reply list_logs(const Site& site, LogBook& book, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.settings.zone()));
    book.flush();
    record::Query query{.search = request.query.text_or("search"),
                        .from = period.from,
                        .to = period.to,
                        .order_by = page.order_by,
                        .ascending = page.ascending,
                        .limit = page.per_page,
                        .offset = page.offset()};
    query.filters.emplace_back("type", request.query.text_or("type", "all"));
    if (const auto level = request.query.maybe_text("level"))
        query.filters.emplace_back("level", *level);
    auto rows = Value::array();
    std::int64_t total = 0;
    site.store.read([&](store::Session& session) {
        rows = Value::array();
        for (const LogEntry& entry : log_record().list(session, query))
            rows.push(log_record().to_json(entry));
        total = log_record().count(session, query);
    });
    return api::list_reply(std::move(rows), page, total);
}

Reply clear_logs(const Site& site, LogBook& book, const Request& request) {
    book.flush();
    const std::string type = request.query.text_or("type");
    return api::respond(site.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        return tx.run(
            "DELETE FROM svc_logs WHERE :type = 'all' OR type = :type OR (:type = 'error' AND level = 'error')",
            {{"type", type}});
    }),
                        [](std::int64_t count) {
                            return api::ok(Value::object({{"cleared_count", count}}));
                        });
}

}  // namespace

void add_log_routes(const Site& site, LogBook& book) {
    const auto who = Permission::can("manage_options");
    site.routes.add(
        {.method = api::Method::get,
         .path = "/tools/logs",
         .name = "listLogs",
         .who = who,
         .summary = "List the program's log, newest first: the latest 100,000 lines of `log_retention_days`.",
         .query = api::Schema{{.name = "type",
                               .type = api::choice(log_types),
                               .help = "The subject of the lines; `error`: all errors.",
                               .otherwise = Value("all")},
                              {.name = "level", .type = api::choice({"info", "warning", "error"})},
                              {.name = "per_page", .type = api::page_sum(), .otherwise = Value(50)}}
                      .plus(api::period_fields()),
         .is_list = true,
         .sortable = log_record().sort_keys(),
         .answer = api::list(api::object(log_record().answer_schema()), 100),
         .handle = [&site, &book](const Request& request) { return list_logs(site, book, request); }});
    site.routes.add(
        {.method = api::Method::del,
         .path = "/tools/logs",
         .name = "clearLogs",
         .who = who,
         .summary = "Delete the lines of a type from this list. The program's own log is unchanged.",
         .query = {{.name = "type", .type = api::choice(log_types), .required = true}},
         .answer = api::object("ClearedLogs", {{.name = "cleared_count", .type = api::integer(0), .required = true}}),
         .repeats_safely = true,
         .handle = [&site, &book](const Request& request) { return clear_logs(site, book, request); }});
}

}  // namespace svc::maintenance
