// All services of bookings, built in order: for an edition, a test and the sample sales.
#pragma once

#include "base/sales/booking/checkout/creator.hpp"
#include "base/sales/booking/checkout/offers.hpp"
#include "base/sales/booking/checkout/sessions.hpp"
#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/desk/lists.hpp"
#include "base/sales/booking/desk/removal.hpp"
#include "base/sales/booking/form/forms.hpp"
#include "base/sales/booking/guest/guests.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/sales/booking/upkeep/departure_bookings.hpp"
#include "base/sales/booking/upkeep/upkeep.hpp"

namespace svc::booking {

// Any thread. `ports` is filled at start, before the first call.
struct Services {
    explicit Services(const Parts& parts)
        : records(parts, ports),
          forms(parts),
          offers(parts),
          sessions(parts, ports, offers),
          creator(parts, ports, {.records = records, .forms = forms, .offers = offers, .sessions = sessions}),
          desk(parts, ports, {.records = records, .forms = forms, .offers = offers, .creator = creator}),
          lists(parts),
          removal(parts, ports, records),
          guests(parts, ports, records.lifecycle(), offers),
          upkeep(parts, ports, records),
          departure_bookings(parts, ports, records.lifecycle()) {}
    Services(const Services&) = delete;
    Services& operator=(const Services&) = delete;

    Ports ports;
    Service records;
    Forms forms;
    Offers offers;
    Sessions sessions;
    Creator creator;
    Desk desk;
    Lists lists;
    Removal removal;
    Guests guests;
    Upkeep upkeep;
    DepartureBookings departure_bookings;
};

}  // namespace svc::booking
