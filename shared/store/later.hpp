// Statements of a transaction whose result is not needed.
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

// An INSERT, UPDATE or DELETE whose affected rows are not needed. It runs in order, before any later statement; over a
// network connection it costs no wait of its own. A later statement or the commit reports its failure, so expected
// failures must not be run this way.
inline void run_later(Transaction& tx, std::string_view sql, const Params& params) {
    if (auto* later = dynamic_cast<Later*>(&tx))
        later->run_later(sql, params);
    else
        static_cast<void>(tx.run(sql, params));
}

}  // namespace svc::store
