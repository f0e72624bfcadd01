// The rules of documents: access, data and layout.
#pragma once

#include "base/platform/events/events.hpp"
#include "base/sales/availability/services.hpp"
#include "base/sales/booking/record/invoice_token.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/sales/documents/document.hpp"
#include "base/sales/documents/frame.hpp"
#include "base/sales/documents/issuing.hpp"
#include "base/sales/documents/printed.hpp"
#include "base/sales/payment/refunds/refunds.hpp"

namespace svc::documents {

struct DocumentQuery {
    Kind kind = Kind::invoice;
    std::int64_t booking_id = 0;
    std::optional<std::int64_t> payment_id = {};  // empty: the booking's latest, if any
    bool pro_forma = false;                       // of the booking as a whole, with or without payments
    std::optional<std::int64_t> refund_id = {};   // credit notes; empty: the payment's latest refund
    bool without_amounts = false;                 // for guides: a voucher says nothing of money
};

struct Printed {
    std::shared_ptr<const pdf::Rendered> rendered;
    std::string file_name;
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
        const availability::Services& availability;
        Logos& logos;
        const crypto::Keyring& keyring;
        const Clock& clock;
        // Payment instructions for a gateway's customers; empty unless it is an offline one.
        std::function<std::string(const std::string& gateway, const json::Value& booking, std::string_view locale)>
            instructions;
        std::function<std::string(const std::string& gateway, std::string_view locale)> way;  // as customers call it
        std::string site_address;  // without a slash at the end
    };
    explicit Service(Parts parts)
        : parts_(std::move(parts)),
          issuing_(parts_.store, parts_.settings, parts_.clock),
          frames_(parts_.hooks, parts_.settings, parts_.logos, parts_.clock),
          printed_(most_printed_bytes) {}

    // [start-up] Issues the invoice of each payment that completes and the credit note of each refund.
    void listen(events::Events& events);

    // booking_not_found, payment_not_found, svc_not_found without a completed refund; svc_forbidden for customers of an
    // inactive booking; svc_unavailable when rendering takes too long. Issues an invoice or credit note that has no
    // number yet.
    Result<Printed> print(const DocumentQuery& query, bool for_staff);
    // The booking's days as a calendar file (RFC 5545), of any status but the trash. booking_not_found.
    Result<std::string> calendar(std::int64_t booking_id);  // calendar.cpp
    // The number of the credit note of a completed refund, which is issued with it; svc_not_found otherwise.
    Result<std::string> credit_note_for(std::int64_t refund_id);

    // The booking a payment is of; 0 when there is no such payment.
    std::int64_t booking_of(std::int64_t payment_id);
    // The payment for a booking's invoice by default; empty without payments.
    std::optional<std::int64_t> latest_payment(std::int64_t booking_id);
    // Whether the token proves that payment's invoice (0: the booking's), for as long as tokens live.
    bool admits(std::string_view token, std::int64_t payment_id, std::int64_t booking_id);

  private:
    static constexpr std::size_t most_printed_bytes = std::size_t{16} << 20;

    Result<Material> read(const DocumentQuery& query);
    Result<void> add_issued(Material& material, const DocumentQuery& query, bool for_staff);
    Result<Issued> issue_invoice(const booking::Booking& booking, std::int64_t payment_id, const Customer& customer);
    [[nodiscard]] std::optional<ClockTime> arrival_of(const Material& material) const;
    void add_instructions(Material& material) const;
    [[nodiscard]] std::string language_of(const booking::Booking& booking) const;
    [[nodiscard]] pdf::Document sheet(Kind kind, const Material& material);

    Parts parts_;
    Issuing issuing_;
    Frames frames_;
    PrintedPages printed_;
};

}  // namespace svc::documents
