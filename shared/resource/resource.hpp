// A resource: the routes of a record as RouteSpec values. A feature changes what differs and registers them.
#pragma once

#include <memory>

#include "shared/record/record.hpp"
#include "shared/resource/engine.hpp"

namespace svc::resource {

// The specifics of one resource; each may be empty. `before` is null for a new record.
template <class T>
struct Rules {
    // Before the body is read: sets members that reading depends on, such as the currency of its amounts, and converts
    // alternative forms of the body. Pure.
    std::function<void(const T* before, T& after, json::Value& body, Faults& faults)> prepare = {};
    // Sets members that follow from others, before the checks. Pure; may run on a body that fits the schema in part.
    std::function<void(const T* before, T& after, const json::Value& body, Faults& faults)> adjust = {};
    // Reports every fault of the record as it would be stored. Pure.
    std::function<void(const T* before, const T& after, Faults& faults)> check = {};
    // In the write's transaction, before the row: decides values that need it, such as a free name, and writes what
    // must come first. `after` is null when the row is deleted. Its error ends the write.
    std::function<Result<void>(store::Transaction&, const T* before, T* after, const json::Value& body)> settle = {};
    // The same as check() for rules that need the database. Must only read.
    std::function<void(store::Session&, const T* before, const T& after, Faults& faults)> check_stored = {};
    // `for_good`: deletes permanently; else moves to the trash.
    std::function<Result<void>(store::Session&, const T& record, bool for_good)> may_delete = {};
    // In the write's transaction, after the row. `after` is null when the row was deleted.
    std::function<void(store::Transaction&, const T* before, const T* after, const record::Writer&)> after_write = {};
    std::function<void(store::Session&, json::Value& counts)> add_counts = {};  // to the answer of stats
};

// The routes of an engine, for any record. The specs refer to the engine: it lives as long as they do.
class Routes {
  public:
    Routes(const record::Wire& wire, std::shared_ptr<const Engine> engine)
        : wire_(wire), table_(wire.table()), engine_(std::move(engine)) {}

    [[nodiscard]] api::RouteSpec list_route() const;                                        // GET path
    [[nodiscard]] api::RouteSpec read_route() const;                                        // GET path/{id}
    [[nodiscard]] api::RouteSpec create_route() const;                                      // POST path
    [[nodiscard]] api::RouteSpec update_route() const;                                      // PUT and PATCH path/{id}
    [[nodiscard]] api::RouteSpec remove_route() const;                                      // DELETE path/{id}
    [[nodiscard]] api::RouteSpec trash_route() const;                                       // POST path/{id}/trash
    [[nodiscard]] api::RouteSpec restore_route() const;                                     // POST path/{id}/restore
    [[nodiscard]] api::RouteSpec stats_route() const;                                       // GET path/stats
    [[nodiscard]] api::RouteSpec reorder_route() const;                                     // POST path/orders
    [[nodiscard]] api::RouteSpec bulk_route(api::Method method = api::Method::post) const;  // path/bulk

    // An action on one record of the feature's own, POST path/{id}/name: answers the record.
    using Change = std::function<Result<record::Any>(store::Transaction&, const api::Request&,
                                                     std::optional<std::int64_t> version)>;
    [[nodiscard]] api::RouteSpec action_route(const std::string& name, std::string summary, api::Schema body,
                                              Change change) const;

    // Headers that the handlers read; a plugin's routes name them.
    static const std::vector<std::string>& headers();

  private:
    [[nodiscard]] api::RouteSpec spec(api::Method method, const std::string& below, api::Permission who,
                                      std::string summary) const;
    [[nodiscard]] api::RouteSpec write_spec(api::Method method, const std::string& below, std::string summary) const;

    const record::Wire& wire_;
    const record::Table& table_;
    std::shared_ptr<const Engine> engine_;
};

// Any thread after the start. The record outlives it.
template <class T>
class Resource : public Routes {
  public:
    Resource(const record::Record<T>& record, Options options, Rules<T> rules)
        : Resource(record,
                   std::make_shared<const Engine>(record.wire(), std::move(options), erased(std::move(rules)))) {}

    // In the caller's transaction, checked and announced as a request's write is. Bodies have passed the schema.
    Result<T> create(store::Transaction& tx, T fresh, const json::Value& body, const record::Writer& writer) const {
        return typed(engine_->create(tx, std::make_shared<T>(std::move(fresh)), body, writer));
    }
    Result<T> update(store::Transaction& tx, std::int64_t id, const json::Value& body,
                     const record::Writer& writer) const {
        return typed(engine_->update(tx, id, body, {}, writer));
    }
    Result<T> change(store::Transaction& tx, std::int64_t id, const std::function<void(T&, Faults&)>& change,
                     const record::Writer& writer, std::optional<std::int64_t> version = {}) const {
        return typed(engine_->change(
            tx, id, version, [&](void* record, Faults& faults) { change(*static_cast<T*>(record), faults); }, writer));
    }
    [[nodiscard]] const Engine& engine() const { return *engine_; }

  private:
    Resource(const record::Record<T>& record, std::shared_ptr<const Engine> engine)
        : Routes(record.wire(), engine), engine_(std::move(engine)) {}

    static Result<T> typed(Result<record::Any> result) {
        if (!result)
            return result.error();
        return std::move(*static_cast<T*>(result->get()));
    }
    static Differences erased(Rules<T> rules) {
        const auto as = [](const void* record) { return static_cast<const T*>(record); };
        Differences plain;
        if (rules.prepare)
            plain.prepare = [=, prepare = std::move(rules.prepare)](const void* before, void* after, json::Value& body,
                                                                    Faults& faults) {
                prepare(as(before), *static_cast<T*>(after), body, faults);
            };
        if (rules.adjust)
            plain.adjust = [=, adjust = std::move(rules.adjust)](const void* before, void* after,
                                                                 const json::Value& body, Faults& faults) {
                adjust(as(before), *static_cast<T*>(after), body, faults);
            };
        if (rules.check)
            plain.check = [=, check = std::move(rules.check)](const void* before, const void* after, Faults& faults) {
                check(as(before), *as(after), faults);
            };
        if (rules.settle)
            plain.settle = [=, settle = std::move(rules.settle)](store::Transaction& tx, const void* before,
                                                                 void* after, const json::Value& body) {
                return settle(tx, as(before), static_cast<T*>(after), body);
            };
        if (rules.check_stored)
            plain.check_stored = [=, check = std::move(rules.check_stored)](store::Session& session, const void* before,
                                                                            const void* after, Faults& faults) {
                check(session, as(before), *as(after), faults);
            };
        if (rules.may_delete)
            plain.may_delete = [=, may = std::move(rules.may_delete)](store::Session& session, const void* record,
                                                                      bool for_good) {
                return may(session, *as(record), for_good);
            };
        if (rules.after_write)
            plain.after_write = [=, then = std::move(rules.after_write)](
                                    store::Transaction& tx, const void* before, const void* after,
                                    const record::Writer& writer) { then(tx, as(before), as(after), writer); };
        plain.add_counts = std::move(rules.add_counts);
        return plain;
    }

    std::shared_ptr<const Engine> engine_;
};

}  // namespace svc::resource
