// Calendars of departures that other programs subscribe to: an address that is a secret, signed, and ended when it is
// renewed or closed.
#pragma once

#include <optional>
#include <string>

#include "base/catalog/trips/editor/service.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/sales/availability/record/departure_rows.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::availability {

class Feeds {
  public:
    struct Parts {
        store::Store& store;
        const settings::Settings& settings;
        const catalog::trips::Service& trips;
        const crypto::Keyring& keyring;
        const Clock& clock;
        std::string address;  // the address that a token completes
    };
    explicit Feeds(Parts parts) : parts_(std::move(parts)) {}

    // The address of a trip's feed, or of all trips' (`trip_id` empty); nothing while it is closed. trip_not_found.
    [[nodiscard]] Result<std::optional<std::string>> address_of(std::optional<std::int64_t> trip_id) const;
    // Creates a new address; earlier ones stop working.
    Result<std::string> open(std::optional<std::int64_t> trip_id, std::optional<std::int64_t> user_id);
    Result<void> close(std::optional<std::int64_t> trip_id, std::optional<std::int64_t> user_id);
    // The calendar of a live token; svc_not_found for every other one.
    [[nodiscard]] Result<std::string> read(std::string_view token) const;

  private:
    [[nodiscard]] Result<void> check_trip(std::optional<std::int64_t> trip_id) const;
    static std::string token_of(const crypto::Keyring& keyring, std::int64_t trip_id, std::int64_t revision);

    Parts parts_;
};

}  // namespace svc::availability
