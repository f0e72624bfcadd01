// The common operations of resources: reads, checked writes, trash, bulk, counts, order. Works on untyped records;
// resource.hpp is its typed interface.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shared/api/route.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/record/wire.hpp"

namespace svc::resource {

// One name that a bulk call accepts.
struct BulkAction {
    enum class Does : std::uint8_t { set_status, restore, remove };
    std::string name;
    Does does = Does::set_status;
    std::string status = {};      // of set_status; "trash" as a DELETE does it
    std::string capability = {};  // needed besides the route's own permission
};

// Actions that are emitted in the write's transaction; null: none. `created` and `updated` get the record as JSON
// (`updated` the record before, too), `deleted` the id and the record as it was. A move to the trash is an update.
struct Events {
    hooks::Hooks* hooks = nullptr;
    const hooks::Action* created = nullptr;
    const hooks::Action* updated = nullptr;
    const hooks::Action* deleted = nullptr;
};

// A feature's options for its resource.
struct Options {
    store::Store& store;
    std::string path;       // "/enquiries"
    std::string one, many;  // "enquiry", "enquiries", in summaries and sentences
    api::Permission reads, writes, removes;
    std::string module = {};
    api::Schema filters = {};  // of the list, each with a condition of the record
    bool ascending = false;    // the list's default order
    std::vector<BulkAction> bulk = {};
    std::string restored_status = "draft";  // where the record has no status_before_trash
    bool deletes_at_once = false;           // DELETE deletes even where the record has a trash
    std::function<Zone()> zone = {};        // in which days of `from` and `to` are meant; empty: UTC
    Events events = {};
    // Counts the change on the feature's channel of the change feed; last in each write.
    std::function<void(store::Transaction&)> note_change = {};
    std::function<void()> changed = {};  // after each commit, on the thread that commits
    // After the commit of a request's write, on its thread, before the response. Code that writes in its own
    // transaction calls it too.
    std::function<void()> written = {};
    int tries = 1;  // of a write that breaks a unique rule: names that settle() chose may be chosen again
    // The error for a violated unique constraint of the table; empty: it is our bug.
    std::function<Error(std::string_view constraint)> taken = {};
    // The answer when the database rejects a write for another reason; empty: svc_internal_error.
    std::function<Error(bool is_new)> rejected = {};
};

// The feature's differences, erased. All may be empty. `before` is null for a new record.
struct Differences {
    std::function<void(const void* before, void* after, json::Value& body, Faults& faults)> prepare;
    std::function<void(const void* before, void* after, const json::Value& body, Faults& faults)> adjust;
    std::function<void(const void* before, const void* after, Faults& faults)> check;
    std::function<Result<void>(store::Transaction&, const void* before, void* after, const json::Value& body)> settle;
    std::function<void(store::Session&, const void* before, const void* after, Faults& faults)> check_stored;
    std::function<Result<void>(store::Session&, const void* record, bool for_good)> may_delete;
    std::function<void(store::Transaction&, const void* before, const void* after, const record::Writer&)> after_write;
    std::function<void(store::Session&, json::Value& counts)> add_counts;
};

record::Writer writer_of(const api::Request& request);

// "an activity", "a trip", "a user": a noun in a sentence.
std::string with_article(const std::string& noun);

// Immutable after the start: any thread.
class Engine {
  public:
    Engine(const record::Wire& wire, Options options, Differences differences);

    [[nodiscard]] const Options& options() const { return options_; }

    // In the caller's transaction. The body passed the record's schema. A change to equal values writes and reports
    // nothing.
    Result<record::Any> create(store::Transaction& tx, record::Any fresh, const json::Value& body,
                               const record::Writer& writer) const;
    Result<record::Any> update(store::Transaction& tx, std::int64_t id, const json::Value& body,
                               std::optional<std::int64_t> version, const record::Writer& writer) const;
    // `change` writes members that clients cannot write; the record is checked and stored as any other.
    using Change = std::function<void(void* record, Faults& faults)>;
    Result<record::Any> change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                               const Change& change, const record::Writer& writer) const;
    // Moves to the trash; from there, or without a trash, deletes permanently.
    Result<void> remove(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                        const record::Writer& writer) const;
    Result<record::Any> restore(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> version,
                                const record::Writer& writer) const;

    // The row_version that If-Match or the body makes a condition.
    [[nodiscard]] Result<std::optional<std::int64_t>> version_of(const api::Request& request) const;

    // One answer: the record as JSON with its ETag.
    [[nodiscard]] api::Reply reply_with(const void* record) const;

    // A transaction whose answer is a record: stores the reply under the request's key, calls `changed` after the
    // commit, and turns a broken unique rule into its sentence.
    using Work = std::function<Result<record::Any>(store::Transaction&)>;
    [[nodiscard]] api::Reply write(const api::Request& request, bool is_new, const Work& work) const;

    // Runs a write and converts database errors into the feature's error (Options::taken, rejected).
    [[nodiscard]] api::Reply guarded(bool is_new, const std::function<api::Reply()>& write) const;

    [[nodiscard]] api::Reply list(const api::Request& request) const;
    [[nodiscard]] api::Reply read(const api::Request& request) const;
    [[nodiscard]] api::Reply create(const api::Request& request) const;
    [[nodiscard]] api::Reply update(const api::Request& request) const;
    [[nodiscard]] api::Reply remove(const api::Request& request) const;
    [[nodiscard]] api::Reply trash(const api::Request& request) const;
    [[nodiscard]] api::Reply restore(const api::Request& request) const;
    [[nodiscard]] api::Reply bulk(const api::Request& request) const;
    [[nodiscard]] api::Reply counts(const api::Request& request) const;
    [[nodiscard]] api::Reply reorder(const api::Request& request) const;

    // The faults of a body that does not fit the schema, by the record's own checks (RouteSpec::rules).
    [[nodiscard]] Result<std::vector<FieldError>> faults_of(const api::Request& request, bool is_new) const;

  private:
    // One write. A bulk call finishes its writes together.
    struct Writing {
        const record::Writer& writer;
        bool in_bulk = false;
    };
    [[nodiscard]] Result<void> apply_removal(store::Transaction& tx, std::int64_t id,
                                             std::optional<std::int64_t> version, const Writing& writing) const;
    [[nodiscard]] Result<record::Any> apply_restore(store::Transaction& tx, std::int64_t id,
                                                    std::optional<std::int64_t> version, const Writing& writing) const;
    [[nodiscard]] Result<record::Any> store_change(store::Transaction& tx, const record::Any& before, record::Any after,
                                                   const json::Value& body, Faults faults,
                                                   const Writing& writing) const;
    [[nodiscard]] Result<record::Any> find(store::Session& session, std::int64_t id,
                                           std::optional<std::int64_t> version) const;
    void note_trash(const void* before, void* after, const record::Writer& writer) const;
    void finish(store::Transaction& tx, const Writing& writing) const;
    // One of a bulk call.
    [[nodiscard]] Result<void> run(store::Transaction& tx, const BulkAction& action, std::int64_t id,
                                   const record::Writer& writer) const;
    [[nodiscard]] bool is_trashed(const void* record) const;
    // Applies a body to the record.
    void take(const void* before, void* after, const json::Value& body, Faults& faults) const;

    const record::Wire& wire_;
    const record::Table& table_;
    const Options options_;
    const Differences differences_;
    const bool versioned_, has_trash_;
};

}  // namespace svc::resource
