// Adds additional services to the price of a booking.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "pro/additional_services/additional_service.hpp"

namespace svc::pro::additional_services {

// A booking as the price describes it.
struct Party {
    std::int64_t travelers = 1, days = 1;
    Money base;  // the base of percentages
};

// Of `quantity`; nothing for one that is included.
Money price_of(const AdditionalService& service, const Party& party, std::int64_t quantity);

// Any thread. Answers the filter svc_booking_additional_services: the services chosen, required and included of a trip.
class Pricing {
  public:
    // `zone` returns the site's, in which departures begin. `is_followed`: forget() is called after each change of a
    // service in any process, so that services are read once for each change; else they are read again each second.
    Pricing(store::Store& store, const Clock& clock, std::function<Zone()> zone, bool is_followed = false)
        : store_(store), clock_(clock), zone_(std::move(zone)), is_followed_(is_followed) {}

    // `context` as the filter passes it; entries of other listeners stay before ours. A quantity beyond a limit is
    // lowered to it, for the base to refuse. In a transaction the stock of what is chosen is locked first, so that it
    // is never oversold.
    json::Value services(store::Transaction* tx, json::Value others, const json::Value& context);

    // Answers svc_booking_services_short: the services of a booking, as it would be, that its departure has too few of.
    json::Value short_of(store::Transaction* tx, json::Value others, std::int64_t booking_id,
                         const json::Value& booking);

    // Answers svc_booking_services_kept and svc_booking_get_services: rows of booked services, and back.
    json::Value keep(store::Transaction* tx, json::Value services, std::int64_t booking_id);
    json::Value of_booking(store::Transaction* tx, const json::Value& services, std::int64_t booking_id);

    // Any thread. Writes of this process take effect at once.
    void forget();

  private:
    using Published = std::shared_ptr<const std::vector<AdditionalService>>;
    // By the database's word in `tx`, else at most a second late.
    Published published(store::Transaction* tx);
    // Reads in the transaction, where there is one.
    template <class T>
    T read(store::Transaction* tx, const std::function<T(store::Session&)>& work) {
        return tx ? work(*tx) : store_.reading<T>(work);
    }

    store::Store& store_;
    const Clock& clock_;
    const std::function<Zone()> zone_;
    const bool is_followed_;
    std::mutex mutex_;
    Published known_;
    std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace svc::pro::additional_services
