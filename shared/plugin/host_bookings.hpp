// Makes, confirms and cancels bookings: svc.bookings/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

// `wanted` and the answers are JSON as svc_bookings.h describes them.
class Bookings {
  public:
    using Table = svc_bookings_1;
    static constexpr const char* id = SVC_BOOKINGS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_bookings_1, table, cancel); }
    explicit Bookings(const Table* table) : table_(table) {}

    struct By {
        std::string cause = "channel";  // staff, customer or channel
        std::string name;               // of the channel, or of what acts
        std::string reason = {};
    };
    // What it costs now, and whether a customer could book it. Throws Failed inside a transaction, as hold does.
    [[nodiscard]] Result<json::Value> quote(const json::Value& wanted) const;
    // Runs last in the transaction that books; may run more than once. An error ends the transaction and is returned.
    using Also = std::function<Result<void>(store::Transaction& tx, const json::Value& booking)>;
    Result<json::Value> hold(const json::Value& wanted, const By& by, const Store& store, const Also& also = {}) const;
    // In the plugin's transaction; repeated they change nothing.
    Result<json::Value> confirm(store::Transaction& tx, std::int64_t booking_id, const By& by) const;
    Result<json::Value> cancel(store::Transaction& tx, std::int64_t booking_id, const By& by) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
