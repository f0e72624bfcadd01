// Who a booking is of, as staff change it.
#include "base/sales/booking/desk/edit_contact.hpp"

#include "base/people/customers/service.hpp"
#include "base/sales/booking/record/owner_repository.hpp"

namespace svc::booking {
namespace {

void set_if_given(std::string& member, const std::optional<std::string>& given) {
    if (given)
        member = *given;
}

}  // namespace

Result<void> set_contact(store::Transaction& tx, const Parts& parts, const Ports& ports, Lifecycle& lifecycle,
                         Booking& booking, const Edit& edit, Instant now) {
    set_if_given(booking.first_name, edit.first_name);
    set_if_given(booking.last_name, edit.last_name);
    set_if_given(booking.phone, edit.phone);
    set_if_given(booking.country, edit.country);
    set_if_given(booking.special_requests, edit.special_requests);
    set_if_given(booking.internal_notes, edit.internal_notes);
    if (edit.gateway && *edit.gateway != booking.payment_gateway && ports.payments &&
        !ports.payments->takes(*edit.gateway))
        return errc::invalid_gateway;
    set_if_given(booking.payment_gateway, edit.gateway);
    if (edit.email && *edit.email != booking.email) {
        booking.email = *edit.email;
        booking.customer_id = customers::Service::of(tx, parts.hooks,
                                                     {.first_name = booking.first_name,
                                                      .last_name = booking.last_name,
                                                      .email = booking.email,
                                                      .phone = booking.phone,
                                                      .country = booking.country,
                                                      .by_staff = true},
                                                     now)
                                  .id;
        // The holder of the previous address loses access, an account that had proven it alone included, and for good:
        // a change back does not revive its links.
        lifecycle.end_secrets(tx, booking.id, now);
        Service::end_links(tx, booking.id);
        if (OwnerRepository::forget_proof(tx, booking.id))
            booking.user_id.reset();
    }
    if (edit.customer_id && *edit.customer_id != booking.customer_id) {
        if (!customers::Service::find(tx, *edit.customer_id))
            return invalid("customer_id", "This customer does not exist."_sentence);
        booking.customer_id = *edit.customer_id;
    }
    if (edit.user_id || edit.without_user) {
        static_cast<void>(OwnerRepository::forget_proof(tx, booking.id));
        booking.user_id = edit.user_id;
    }
    return {};
}

}  // namespace svc::booking
