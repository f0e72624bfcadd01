// svc.bookings/1: bookings that a plugin makes, confirms and cancels.
#include "base/plugins/outside.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::read_json;
using plugin::text_of;
using Also = svc_status (*)(void*, svc_session*, svc_text, svc_answer*);

BookedBy by_from(svc_text text) {
    const auto value = read_json(text);
    BookedBy by{
        .cause = text_of(value, "cause"), .name = own_word(text_of(value, "name")), .reason = value.text_or("reason")};
    if (by.cause != "staff" && by.cause != "customer" && by.cause != "channel")
        throw Malformed("\"cause\" is staff, customer or channel.");
    return by;
}

svc_status quote(void* self, svc_text wanted, svc_answer* answer) noexcept {
    return outside(self, answer, "A price is not asked", [&](Registration& r) {
        return plugin::answer_result(answer, r.services.bookings.quote(read_json(wanted)));
    });
}

svc_status hold(void* self, svc_text wanted, svc_text by, void* context, Also also, svc_answer* answer) noexcept {
    return outside(self, answer, "A booking is not made", [&](Registration& r) {
        std::function<Result<void>(store::Transaction&, const json::Value&)> follows;
        if (also)
            follows = [&](store::Transaction& tx, const json::Value& booking) -> Result<void> {
                svc_session lent(tx);
                const auto text = booking.dump();
                plugin::Answer outcome;
                return outcome.done(plugin::barrier(
                    outcome.table(), [&] { return also(context, &lent, plugin::borrow(text), outcome.table()); }));
            };
        return plugin::answer_result(answer, r.services.bookings.hold(read_json(wanted), by_from(by), follows));
    });
}

template <class Change>
svc_status changed(void* self, svc_session* transaction, std::int64_t id, svc_text by, svc_answer* answer,
                   const Change& change) noexcept {
    return plugin::barrier(answer, [&] {
        auto& r = attached(self);
        auto& tx = plugin::transaction_of(transaction);
        try {
            return plugin::answer_result(answer, change(r.services.bookings)(tx, id, by_from(by)));
        } catch (const Malformed& fault) {
            return plugin::answer_error(answer, Error{errc::validation_error, Sentence::verbatim(fault.what())});
        }
    });
}

svc_status confirm(void* self, svc_session* transaction, std::int64_t id, svc_text by, svc_answer* answer) noexcept {
    return changed(
        self, transaction, id, by, answer,
        [](const BookingOffers& bookings) -> const auto& { return bookings.confirm; });
}

svc_status cancel(void* self, svc_session* transaction, std::int64_t id, svc_text by, svc_answer* answer) noexcept {
    return changed(
        self, transaction, id, by, answer,
        [](const BookingOffers& bookings) -> const auto& { return bookings.cancel; });
}

}  // namespace

svc_bookings_1 bookings_table_of(Registration& r) {
    return {sizeof(svc_bookings_1), &r, &quote, &hold, &confirm, &cancel};
}

}  // namespace svc::plugins
