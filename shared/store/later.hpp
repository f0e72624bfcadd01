// Statements of a transaction that nobody waits for.
#pragma once

#include "shared/store/store.hpp"

namespace svc::store {

// A transaction that can put statements off until it waits for an answer anyway: its next read, or its commit.
class Later {
  public:
    virtual void run_later(std::string_view sql, const Params& params) = 0;

  protected:
    ~Later() = default;
};

// An INSERT, UPDATE or DELETE whose affected rows nobody asks for. It has run, in its place, before anything that comes
// after it; where the database lies across a connection it costs no wait of its own. That it fails is told by a later
// statement or by the commit, so nothing whose failure is expected goes this way.
inline void run_later(Transaction& tx, std::string_view sql, const Params& params) {
    if (auto* later = dynamic_cast<Later*>(&tx))
        later->run_later(sql, params);
    else
        static_cast<void>(tx.run(sql, params));
}

}  // namespace svc::store
