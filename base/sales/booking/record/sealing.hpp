// Answers about health or papers: encrypted with the installation's key in the database (S18).
#pragma once

#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/sensitive.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

// Any thread.
class Sealing {
  public:
    explicit Sealing(const crypto::Keyring& keyring) : keyring_(keyring) {}

    struct AtRest {
        json::Value plain;   // readable in the database
        std::string sealed;  // the rest; empty when there is nothing of it
    };
    // `place` names row and column: sealed text is of no use anywhere else.
    [[nodiscard]] AtRest seal(const json::Value& answers, std::string_view place) const;
    // All answers of all subjects; empty without any.
    [[nodiscard]] std::string seal_whole(const json::Value& answers, std::string_view place) const;
    // All answers again. Logs and drops answers that cannot be opened, so that the booking is still readable.
    [[nodiscard]] json::Value unseal(json::Value plain, std::string_view sealed, std::string_view place) const;

    // -- places
    static std::string of_traveler(std::int64_t booking_id, std::int64_t index);
    static std::string of_contact(std::int64_t booking_id);
    static std::string of_emergency(std::int64_t booking_id);
    static std::string of_session(std::string_view token_hash);

  private:
    const crypto::Keyring& keyring_;
};

}  // namespace svc::booking
