// GET, POST /email-suppressions; DELETE …/{id}.
#include "pro/email_automation/routes.hpp"
#include "pro/email_automation/suppressions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/mailbox.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

api::Type row_type() {
    return api::object(
        "EmailSuppression",
        {{.name = "id", .type = api::id(), .required = true},
         {.name = "mailbox",
          .type = api::text(254),
          .help = "The address as its mailbox is compared: in lower case, without a part behind +.",
          .required = true},
         {.name = "reason",
          .type = api::choice({"unsubscribed", "staff"}),
          .help = "unsubscribed: by its owner, with the link of an e-mail. staff: added by staff.",
          .required = true},
         {.name = "created_at", .type = api::instant(), .help = "Since when it gets no marketing.", .required = true}});
}

Value to_json(const Suppression& row) {
    return Value::object({{"id", row.id},
                          {"mailbox", row.mailbox},
                          {"reason", row.source == "staff" ? "staff" : "unsubscribed"},
                          {"created_at", row.created_at}});
}

api::RouteSpec suppressions_route(const Site& site) {
    auto spec = route(api::Method::get, "/email-suppressions",
                      "List the mailboxes that get no marketing, the latest first; search matches a part of the"
                      " address, or the whole address in any spelling.");
    spec.is_list = true;
    spec.sortable = {"created_at", "mailbox"};
    spec.columns = {"mailbox", "reason", "created_at"};
    spec.query =
        api::Schema{{.name = "reason", .type = api::choice({"unsubscribed", "staff"})}}.plus(api::period_fields());
    spec.answer = api::list(row_type(), 100);
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
        SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.zone()));
        const std::string reason = request.query.text_or("reason");
        const SuppressionQuery query{.source = reason == "unsubscribed" ? "link" : reason,
                                     .search = request.query.text_or("search"),
                                     .from = period.from,
                                     .to = period.to,
                                     .by_mailbox = page.order_by == "mailbox",
                                     .ascending = page.ascending,
                                     .limit = page.per_page,
                                     .offset = page.offset()};
        std::int64_t total = 0;
        auto items = site.store.reading<Value>([&](store::Session& session) {
            total = Suppressions::count(session, query);
            return json::array_of(Suppressions::list(session, query), to_json);
        });
        return api::list_reply(std::move(items), page, total);
    };
    return spec;
}

api::RouteSpec add_route(const Site& site) {
    auto spec = route(api::Method::post, "/email-suppressions",
                      "Put an address on the list of those that get no marketing; e-mails about its bookings still"
                      " reach it.");
    spec.body = {{.name = "email", .type = api::email(), .required = true}};
    spec.answer = row_type();
    spec.success = 201;
    spec.errors = {&errc::conflict};
    spec.stores_reply = true;
    spec.handle = [&site](const api::Request& request) {
        return api::respond_once(
            request,
            [&]() -> Result<Suppression> {
                const std::string mailbox = mailbox_key(request.body["email"].text());
                if (mailbox.empty())
                    return invalid("email", "Enter a valid e-mail address."_sentence);
                return site.store.transact<Suppression>([&](store::Transaction& tx) -> Result<Suppression> {
                    auto added = Suppressions::add(tx, mailbox, "staff", request.now);
                    if (!added)
                        return Error{errc::conflict, "This address is on the list already."_sentence};
                    return std::move(*added);
                });
            },
            [](const Suppression& row) { return api::created(to_json(row)); });
    };
    return spec;
}

api::RouteSpec remove_route(const Site& site) {
    auto spec = route(api::Method::del, "/email-suppressions/{id}",
                      "Take a mailbox off the list: it gets marketing again where its owner agreed to it.");
    spec.answer = api::object({{.name = "id", .type = api::id(), .required = true},
                               {.name = "deleted", .type = api::boolean(), .required = true}});
    spec.errors = {&errc::not_found};
    spec.stores_reply = true;
    spec.handle = [&site](const api::Request& request) {
        return api::respond_once(
            request,
            [&] {
                return site.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                    if (!Suppressions::remove(tx, request.path_id()))
                        return errc::not_found;
                    return request.path_id();
                });
            },
            [](std::int64_t id) {
                return api::ok(Value::object({{"id", id}, {"deleted", true}}));
            });
    };
    return spec;
}

}  // namespace

void add_suppression_routes(const Site& site) {
    site.routes.add(suppressions_route(site));
    site.routes.add(add_route(site));
    site.routes.add(remove_route(site));
}

}  // namespace svc::pro::email_automation
