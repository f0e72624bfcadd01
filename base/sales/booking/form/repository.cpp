// SQL of the forms that bookings were made with.
#include "base/sales/booking/form/repository.hpp"

namespace svc::booking {

std::int64_t FormRepository::keep_form(store::Transaction& tx, std::string_view digest, const std::string& text,
                                       Instant now) {
    const auto known = [&] {
        return tx.number("SELECT id FROM svc_booking_forms WHERE digest = :digest", {{"digest", digest}});
    };
    if (const std::int64_t id = known(); id > 0)
        return id;
    tx.run(
        "INSERT INTO svc_booking_forms (digest, form, created_at) VALUES (:digest, :form, :now)"
        " ON CONFLICT (digest) DO NOTHING",
        {{"digest", digest}, {"form", text}, {"now", now}});
    return known();
}

}  // namespace svc::booking
