// The cancellation terms of trips: a member of their JSON, with the setting that counts where a trip has none.
#pragma once

#include <memory>

#include "base/catalog/trips/record/part.hpp"
#include "base/sales/booking/cancellation/terms.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::booking {

inline constexpr std::string_view cancellation_terms_name = "cancellation_terms";  // of the member and of the setting

// The trip's member `cancellation_terms`; null: those of the setting count.
std::shared_ptr<const catalog::trips::Part> cancellation_terms_part();

// Must outlive the settings' use: it asks them for the site's currency.
void declare_cancellation_settings(settings::Settings& settings);
// The setting's terms for trips in that currency: none where they have amounts in another one.
CancellationTerms default_cancellation_terms(const settings::Settings& settings, Currency currency);
// A trip's own terms, as its member says them, else the setting's.
CancellationTerms cancellation_terms_of_trip(const json::Value& member, Currency currency,
                                             const settings::Settings& settings);

// What a customer who books the trip now agrees to.
struct AgreedCancellation {
    CancellationTerms terms;
    std::string policy;  // the trip's own words

    [[nodiscard]] bool empty() const { return terms.empty() && policy.empty(); }
};
AgreedCancellation cancellation_offered(store::Session& session, std::int64_t trip_id, Currency currency,
                                        const settings::Settings& settings);

}  // namespace svc::booking
