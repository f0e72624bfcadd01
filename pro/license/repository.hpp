// The licence's one row.
#pragma once

#include "pro/license/license.hpp"
#include "shared/plugin/host.hpp"
#include "shared/store/sealed_columns.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::license {

// Of the licence and of its evaluation.
const std::vector<store::SealedColumn>& sealed_columns();

class Repository {
  public:
    explicit Repository(const plugin::Secrets& secrets) : secrets_(secrets) {}
    // Nothing when none was ever stored.
    [[nodiscard]] std::optional<License> load(store::Session& session) const;
    void save(store::Transaction& tx, const License& license, Instant now) const;
    // Until the transaction ends nobody else saves it; of a licence that was never saved nothing is locked.
    static void lock(store::Transaction& tx);
    // The server does not answer since now, or since it was noted before.
    static void note_silence(store::Transaction& tx, Instant now);

  private:
    const plugin::Secrets& secrets_;
};

}  // namespace svc::pro::license
