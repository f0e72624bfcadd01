// How the base sees a plugin: its callbacks as C++ functions, and the base's store lent to it.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "shared/api/route.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/plugin/crossing.hpp"
#include "shared/plugin/svc_plugin.h"
#include "shared/store/store.hpp"

// A session of the base while a callback of the plugin may use it: on this thread, for the object's life.
struct svc_session {
    explicit svc_session(svc::store::Session& session);
    explicit svc_session(svc::store::Transaction& transaction);
    ~svc_session();
    svc_session(const svc_session&) = delete;
    svc_session& operator=(const svc_session&) = delete;

    svc::store::Session& session;
    svc::store::Transaction* transaction;  // null: reads alone
    svc_session* outer;                    // lent on this thread before this one
};

namespace svc::plugin {

// Whether this thread is inside a callback to which a session is lent.
bool is_lent_here() noexcept;

// An attached or attaching plugin. Every function below holds one, so that a call after detach is rejected instead of
// reaching unloaded code. Any thread.
class Guest {
  public:
    Guest(std::string name, std::string version) : name_(std::move(name)), version_(std::move(version)) {}
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& version() const { return version_; }
    void detached() { present_ = false; }
    // Throws store::Unavailable once detached.
    void must_be_present() const;
    // The same before a call that may block: a plugin may take any time.
    void must_be_here() const;

    // Stores the reply of the current request under that key; not_found when there is none.
    Result<void> keep_reply(std::int64_t key, store::Transaction& tx, const api::Reply& reply) const;
    // A request whose reply can be stored, while its handler runs.
    class Handling {
      public:
        Handling(const Guest& guest, const api::Request& request);
        ~Handling();
        Handling(const Handling&) = delete;
        Handling& operator=(const Handling&) = delete;
        [[nodiscard]] std::int64_t key() const { return key_; }
        // Rethrows the exception from storing the reply, such as "an equal request was first", above the plugin's
        // frames, when the plugin's handler fails because of it.
        void rethrow() const;

      private:
        friend class Guest;
        const Guest& guest_;
        const api::Request& request_;
        std::int64_t key_;
        std::exception_ptr thrown_;  // guarded by the guest's mutex
    };

  private:
    std::string name_, version_;
    std::atomic<bool> present_ = true;
    mutable std::mutex mutex_;
    mutable std::int64_t last_key_ = 0;
    mutable std::map<std::int64_t, Handling*> handled_;
};
using GuestPtr = std::shared_ptr<const Guest>;

// Calls into the plugin. Throws only what the callback's C++ type allows: Failed, and store::Failure and its kin, by
// the plugin's failure code. The first three may run on a thread that must not block, if their route says `brief` or
// does not wait: WouldWait when the plugin called something that would block.
using Handle = svc_status(void* context, svc_text request, svc_answer* answer);
std::function<api::Reply(const api::Request&)> handler(GuestPtr guest, void* context, Handle* handle,
                                                       std::vector<std::string> headers);
std::function<Result<void>(const api::Request&)> checker(GuestPtr guest, void* context, Handle* check,
                                                         std::vector<std::string> headers);
std::function<Result<std::vector<FieldError>>(const api::Request&)> rules_caller(GuestPtr guest, void* context,
                                                                                 Handle* rules,
                                                                                 std::vector<std::string> headers);
hooks::ActionCall action_call(GuestPtr guest, void* context, svc_status (*call)(void* context, svc_text arguments));
hooks::FilterCall filter_call(GuestPtr guest, void* context,
                              svc_status (*call)(void* context, svc_session* transaction, svc_text value_and_arguments,
                                                 svc_answer* answer));
std::function<Result<json::Value>(const json::Value&)> page_call(GuestPtr guest, void* context,
                                                                 svc_status (*show)(void* context, svc_text request,
                                                                                    svc_answer* answer));
std::function<Result<void>()> preparation(GuestPtr guest, void* context,
                                          svc_status (*prepare)(void* context, svc_answer* why_not));
std::function<Result<json::Value>(Instant)> job_run(GuestPtr guest, void* context,
                                                    svc_status (*run)(void* context, std::int64_t now,
                                                                      svc_answer* answer));

// The transaction of a face the plugin hands back; Failed unless it is lent on this thread right now.
store::Transaction& transaction_of(svc_session* face);

// svc.store/1 over the base's store, which must outlive it.
class StoreTable {
  public:
    StoreTable(store::Store& store, GuestPtr guest);
    StoreTable(const StoreTable&) = delete;
    StoreTable& operator=(const StoreTable&) = delete;
    [[nodiscard]] const svc_store_1* table() const { return &table_; }

  private:
    struct Entries;
    store::Store& store_;
    GuestPtr guest_;
    svc_store_1 table_;
};

}  // namespace svc::plugin
