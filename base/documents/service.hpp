// The rules of documents: for whom they are printed, what is read for them, and how they look.
#pragma once

#include "base/booking/invoice_token.hpp"
#include "base/booking/service.hpp"
#include "base/documents/document.hpp"
#include "base/documents/logo.hpp"
#include "base/payment/service.hpp"

namespace svc::documents {

struct Wanted {
    Kind kind = Kind::invoice;
    std::int64_t booking_id = 0;
    std::optional<std::int64_t> payment_id = {};  // empty: the booking's latest, if any
    bool pro_forma = false;                       // of the booking as a whole, whatever was paid
};

struct Printed {
    std::string bytes, file_name;
    int pages = 0, missing_glyphs = 0;
};

// Any thread. Waits; no transaction is open while a document is set.
class Service {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        const settings::Settings& settings;
        booking::Service& bookings;
        payment::Service& payments;
        catalog::trips::Service& trips;
        Logos& logos;
        const crypto::Keyring& keyring;
        const Clock& clock;
        // What a customer of that gateway reads about paying; empty unless it is an offline one.
        std::function<std::string(const std::string& gateway, const json::Value& booking)> instructions;
    };
    explicit Service(Parts parts) : parts_(std::move(parts)) {}

    // booking_not_found, svc_not_found; svc_forbidden when it is not for staff and the booking does not stand.
    Result<Printed> print(const Wanted& wanted, bool for_staff);

    // The booking a payment is of; 0 when there is no such payment.
    std::int64_t booking_of(std::int64_t payment_id);
    // The one whose invoice is printed where a booking's is asked for; nothing while there is none.
    std::optional<std::int64_t> latest_payment(std::int64_t booking_id);
    // Whether the token proves that payment's invoice (0: the booking's), for as long as tokens live.
    bool admits(std::string_view token, std::int64_t payment_id, std::int64_t booking_id);

  private:
    Result<Material> read(const Wanted& wanted);
    void add_instructions(Material& material) const;
    [[nodiscard]] pdf::Document sheet(Kind kind, const Material& material);
    [[nodiscard]] std::string filtered(const hooks::Filter& filter, std::string value, Kind kind) const;

    Parts parts_;
};

}  // namespace svc::documents
