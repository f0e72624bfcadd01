// What the maker of a booking allowed to be told to partners that count visits and measure advertising.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

struct TrackingConsent {
    bool analytics = false, marketing = false;
    // What tells the browser apart: to Google Analytics, "1234.5678"; to Meta, the content of its cookies. Each is
    // empty without consent to its purpose, and so are address and browser without consent to marketing.
    std::string ga_client_id = {}, fbp = {}, fbc = {};
    std::string client_address = {}, user_agent = {};
    Instant decided_at = {};
};

// Whether the text is such an id, as cookies of those partners hold it.
bool is_ga_client_id(std::string_view text);
bool is_meta_browser(std::string_view text);  // fbp and fbc

// Of a body with the field tracking_consent.
api::Field tracking_consent_field();
std::vector<FieldError> tracking_consent_faults(const json::Value& body);
// Nothing: nothing was allowed.
std::optional<TrackingConsent> tracking_consent_of(const api::Request& request);

// Statements alone. Plugins read the rows by svc_booking_consent_v1.
class TrackingConsents {
  public:
    static void insert(store::Transaction& tx, std::int64_t booking_id, const TrackingConsent& consent);
    // The purposes that were allowed and still are; nothing: none. `purchase_shown`: a browser has reported the
    // purchase, or was asked to.
    struct Allowed {
        bool analytics = false, marketing = false, purchase_shown = false;
    };
    static std::optional<Allowed> find(store::Session& session, std::int64_t booking_id);
    // True for the first call of a booking that has such a row.
    static bool note_purchase_shown(store::Transaction& tx, std::int64_t booking_id, Instant now);
    // Takes back each purpose that is no longer allowed, with what was stored for it.
    static void withdraw(store::Transaction& tx, std::int64_t booking_id, bool analytics, bool marketing);
};

}  // namespace svc::booking
