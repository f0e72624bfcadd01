// The handlers of a resource's routes: a request in, a reply out.
#include "shared/api/bulk.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/period.hpp"
#include "shared/resource/engine.hpp"

namespace svc::resource {
namespace {

using api::Reply;
using api::Request;
using json::Value;

store::Cell filter_cell(const Value& given) {
    if (given.is_boolean())
        return std::int64_t{given.boolean() ? 1 : 0};
    if (given.is_number())
        return given.integer();
    return given.text();
}

// Another row began to refer to this one after may_delete checked.
Result<void> unless_referred_to(const std::function<Result<void>()>& remove) {
    try {
        return remove();
    } catch (const store::ConstraintViolation&) {
        return errc::in_use;
    }
}

}  // namespace

Reply Engine::reply_with(const void* record) const {
    Reply reply = api::ok(wire_.to_json(record));
    if (versioned_)
        reply.headers.emplace_back("ETag", api::version_tag(table_.integer(record, "row_version"), reply.data));
    return reply;
}

Reply Engine::guarded(bool is_new, const std::function<Reply()>& write) const {
    try {
        for (int tries = 1;; ++tries)
            try {
                Reply reply = write();
                if (options_.written && !reply.error)
                    options_.written();
                return reply;
            } catch (const store::UniqueViolation& broken) {
                if (tries < options_.tries)
                    continue;
                if (options_.taken)
                    return api::failed(options_.taken(broken.what()));
                throw;
            }
    } catch (const store::Unavailable&) {
        throw;
    } catch (const store::Retryable&) {
        throw;
    } catch (const store::Failure& failure) {
        if (options_.rejected)
            return api::failed(options_.rejected(is_new).because(failure.what()));
        throw;
    }
}

Reply Engine::write(const Request& request, bool is_new, const Work& work) const {
    const auto answer = [&](const record::Any& record) {
        Reply reply = reply_with(record.get());
        if (!is_new)
            return reply;
        Reply created = api::created(std::move(reply.data),
                                     options_.path + "/" + std::to_string(table_.integer(record.get(), "id")));
        created.headers.insert(created.headers.end(), reply.headers.begin(), reply.headers.end());
        return created;
    };
    return guarded(is_new, [&] {
        return api::respond_once(
            request, [&] { return options_.store.transact<record::Any>(work); }, answer);
    });
}

Result<std::optional<std::int64_t>> Engine::version_of(const Request& request) const {
    if (!versioned_)
        return std::optional<std::int64_t>{};
    return api::required_version(request, [&]() -> std::optional<std::int64_t> {
        return options_.store.reading<std::optional<std::int64_t>>([&](store::Session& session) {
            const auto found = table_.find(session, request.path_id());
            return found ? std::optional(table_.integer(found.get(), "row_version")) : std::nullopt;
        });
    });
}

Reply Engine::list(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    record::Query query{.status = request.query.text_or("status"),
                        .search = request.query.text_or("search"),
                        .order_by = page.order_by,
                        .ascending = page.ascending,
                        .limit = page.per_page,
                        .offset = page.offset()};
    if (request.route->query.find("from") || request.route->query.find("updated_since")) {
        SVC_ASSIGN_OR_RETURN(const auto period,
                             api::period_of(request.query, options_.zone ? options_.zone() : Zone::utc()));
        query.from = period.from;
        query.to = period.to;
        if (period.updated_since)  // each record with updated_at knows this condition
            query.filters.emplace_back("updated_since", period.updated_since->micros());
    }
    for (const api::Field& filter : options_.filters.fields())
        if (const Value* given = request.query.find(filter.name); given && !given->is_null())
            query.filters.emplace_back(filter.name, filter_cell(*given));
    auto items = Value::array();
    std::int64_t total = 0;
    options_.store.read([&](store::Session& session) {
        items = Value::array();
        query.found = table_.find_words(session, query);
        for (const record::Any& each : table_.list(session, query))
            items.push(wire_.to_json(each.get()));
        total = table_.count(session, query);
    });
    return api::list_reply(std::move(items), page, total);
}

Reply Engine::read(const Request& request) const {
    const auto found = options_.store.reading<record::Any>(
        [&](store::Session& session) { return table_.find(session, request.path_id()); });
    return found ? api::unless_known(request, reply_with(found.get())) : api::failed(errc::not_found);
}

Reply Engine::create(const Request& request) const {
    return write(request, true,
                 [&](store::Transaction& tx) { return create(tx, table_.make(), request.body, writer_of(request)); });
}

Reply Engine::update(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto version, version_of(request));
    return write(request, false, [&](store::Transaction& tx) {
        return update(tx, request.path_id(), request.body, version, writer_of(request));
    });
}

Reply Engine::remove(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto version, version_of(request));
    const auto id = request.path_id();
    return guarded(false, [&] {
        return api::respond_once(
            request,
            [&] {
                return unless_referred_to([&] {
                    return options_.store.write(
                        [&](store::Transaction& tx) { return remove(tx, id, version, writer_of(request)); });
                });
            },
            api::deleted(id));
    });
}

Reply Engine::trash(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto version, version_of(request));
    return write(request, false, [&](store::Transaction& tx) -> Result<record::Any> {
        const auto id = request.path_id();
        auto found = find(tx, id, version);
        if (!found || is_trashed(found->get()))
            return found;
        SVC_RETURN_IF_ERROR(remove(tx, id, version, writer_of(request)));
        return find(tx, id, {});
    });
}

Reply Engine::restore(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto version, version_of(request));
    return write(request, false,
                 [&](store::Transaction& tx) { return restore(tx, request.path_id(), version, writer_of(request)); });
}

Reply Engine::bulk(const Request& request) const {
    SVC_ASSIGN_OR_RETURN(const auto ids, api::bulk_ids_of(request.body));
    const std::string name = request.body.text_or("action");
    const BulkAction* action = nullptr;
    for (const BulkAction& each : options_.bulk)
        if (each.name == name)
            action = &each;
    if (!action)
        return api::failed(invalid("action", "Unknown action."_sentence));
    // The gate only knows the route; this permission depends on the action.
    if (!action->capability.empty() && !request.caller.can(action->capability))
        return api::failed(errc::forbidden);
    return guarded(false, [&] {
        const auto work = [&](store::Transaction& tx) -> Result<Value> {
            auto results = Value::array();
            std::int64_t failed = 0;
            for (const std::int64_t id : ids) {
                const auto act = [&] { return tx.attempt([&] { return run(tx, *action, id, writer_of(request)); }); };
                const auto outcome = action->does == BulkAction::Does::remove ? unless_referred_to(act) : act();
                Value result = Value::object({{"id", id}, {"ok", static_cast<bool>(outcome)}});
                if (!outcome) {
                    ++failed;
                    result.set("code", outcome.error().code().name);
                    result.set("error", request.say(outcome.error().message()));
                }
                results.push(std::move(result));
            }
            if (failed < static_cast<std::int64_t>(ids.size()))
                finish(tx, {writer_of(request)});
            return Value::object({{"action", name},
                                  {"affected", static_cast<std::int64_t>(ids.size()) - failed},
                                  {"failed", failed},
                                  {"results", std::move(results)}});
        };
        return api::respond_once(
            request, [&] { return options_.store.transact<Value>(work); }, api::ok);
    });
}

Reply Engine::counts(const Request&) const {
    return api::ok(options_.store.reading<Value>([&](store::Session& session) {
        auto counts = Value::object({{"all", 0}});
        std::int64_t all = 0;
        const auto by_status = table_.count_by_status(session);
        for (const std::string& status : table_.statuses()) {
            counts.set(status, by_status.at(status));
            if (status != table_.layout().hidden_status)
                all += by_status.at(status);
        }
        counts.set("all", all);
        if (differences_.add_counts)
            differences_.add_counts(session, counts);
        return counts;
    }));
}

Reply Engine::reorder(const Request& request) const {
    const std::string& place = table_.layout().place;
    const auto work = [&](store::Transaction& tx) -> Result<Value> {
        std::int64_t updated = 0;
        for (const Value& each : request.body["orders"].items())
            if (table_.set_place(tx, each["id"].integer(), each[place].integer(), request.now))
                ++updated;
        finish(tx, {writer_of(request)});
        return Value::object({{"updated", updated}});
    };
    return guarded(false, [&] {
        return api::respond_once(
            request, [&] { return options_.store.transact<Value>(work); }, api::ok);
    });
}

}  // namespace svc::resource
