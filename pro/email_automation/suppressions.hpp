// The mailboxes that get no marketing: their owners unsubscribed, or staff put them on the list.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::email_automation {

struct Suppression {
    std::int64_t id = 0;
    std::string mailbox;  // by shared/core/mailbox.hpp: one for all spellings of an address
    std::string source;   // link, staff
    Instant created_at;
};

struct SuppressionQuery {
    std::string source = {}, search = {};       // empty: any. A whole address finds its mailbox in any spelling
    std::optional<Instant> from = {}, to = {};  // of created_at; `to` is exclusive
    bool by_mailbox = false;                    // else by created_at
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

// Each is of the session or transaction that it is given.
class Suppressions {
  public:
    static bool has(store::Session& session, const std::string& mailbox);
    // Nothing: it is on the list already, and stays as it is.
    static std::optional<Suppression> add(store::Transaction& tx, const std::string& mailbox, std::string_view source,
                                          Instant now);
    static void remove(store::Transaction& tx, const std::string& mailbox);
    // False: there is no such row.
    static bool remove(store::Transaction& tx, std::int64_t id);
    static std::vector<Suppression> list(store::Session& session, const SuppressionQuery& query);
    static std::int64_t count(store::Session& session, const SuppressionQuery& query);
};

}  // namespace svc::pro::email_automation
