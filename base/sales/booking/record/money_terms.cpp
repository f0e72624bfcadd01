// From a booking's row to its terms, and these as JSON.
#include "base/sales/booking/record/money_terms.hpp"

#include <algorithm>
#include <array>

#include "shared/api/named.hpp"

namespace svc::booking {
namespace {

using Stage = MoneyTerms::Stage;
constexpr std::array<std::pair<Stage, std::string_view>, 4> stages{
    {{Stage::open, "open"}, {Stage::waiting, "waiting"}, {Stage::unproven, "unproven"}, {Stage::over, "over"}}};

Stage stage_of(const Booking& booking) {
    if (booking.status == status::waitlist)
        return Stage::waiting;
    if (booking.status == status::pending_verification)
        return Stage::unproven;
    return is_active(booking.status) ? Stage::open : Stage::over;
}

}  // namespace

MoneyTerms money_terms_of(const Booking& booking) {
    const Money nothing = Money::zero(booking.total.currency());
    MoneyTerms terms{.stage = stage_of(booking),
                     .total = booking.total,
                     .paid = booking.amount_paid,
                     .refunded = nothing,
                     .due_now = nothing,
                     .rest = nothing,
                     .gateway = booking.payment_gateway};
    if (terms.stage == Stage::over || terms.stage == Stage::waiting)
        return terms;
    const bool begins = booking.amount_paid.is_zero() && booking.payment_status != "refunded";
    terms.due_now = begins ? min(booking.pay_now, booking.balance()) : nothing;
    terms.rest = booking.balance() - terms.due_now;
    const bool in_parts = booking.pay_now < booking.total;
    if (in_parts && !terms.rest.is_zero())
        terms.rest_on = booking.rest_on.value_or(booking.travel_date);
    return terms;
}

json::Value to_json(const MoneyTerms& terms) {
    const auto* const stage =
        std::find_if(stages.begin(), stages.end(), [&](const auto& each) { return each.first == terms.stage; });
    return json::Value::object({{"stage", stage->second},
                                {"currency", terms.total.currency().code()},
                                {"total", terms.total},
                                {"paid", terms.paid},
                                {"refunded", terms.refunded},
                                {"due_now", terms.due_now},
                                {"due_by", terms.due_by},
                                {"rest", terms.rest},
                                {"rest_on", terms.rest_on},
                                {"seats_lapse", terms.seats_lapse},
                                {"gateway", terms.gateway}});
}

std::optional<MoneyTerms> money_terms_from(const json::Value& value) {
    const auto currency =
        value.is_object() ? Currency::parse(value.text_or("currency")) : Result<Currency>(errc::not_found);
    if (!currency)
        return std::nullopt;
    bool is_whole = true;
    const auto money = [&](const char* member) {
        const auto amount = value[member].is_number() ? Money::parse(value[member].number_text(), *currency)
                                                      : Result<Money>(errc::not_found);
        is_whole = is_whole && amount;
        return amount ? *amount : Money::zero(*currency);
    };
    MoneyTerms terms{.total = money("total"),
                     .paid = money("paid"),
                     .refunded = money("refunded"),
                     .due_now = money("due_now"),
                     .rest = money("rest"),
                     .due_by = Instant::parse(value.text_or("due_by")),
                     .rest_on = Date::parse(value.text_or("rest_on")),
                     .seats_lapse = value.maybe_boolean("seats_lapse").value_or(false),
                     .gateway = value.text_or("gateway")};
    for (const auto& [stage, name] : stages)
        if (value.text_or("stage") == name)
            terms.stage = stage;
    return is_whole ? std::optional(std::move(terms)) : std::nullopt;
}

api::Type money_terms_answer() {
    using namespace api;
    using api::text;
    return object(
        "PaymentTerms",
        {{.name = "stage",
          .type = choice({"open", "waiting", "unproven", "over"}),
          .help = "waiting: on the waitlist. unproven: until the address is proven. over: nothing is due any more.",
          .required = true},
         {.name = "currency", .type = text(3), .required = true},
         {.name = "total", .type = money(), .required = true},
         {.name = "paid", .type = money(), .help = "Before refunds.", .required = true},
         {.name = "refunded", .type = money(), .required = true},
         {.name = "due_now", .type = money(), .help = "The first payment, while nothing is paid.", .required = true},
         {.name = "due_by", .type = instant().or_null(), .help = "The deadline of the first payment; null: none."},
         {.name = "rest", .type = money(), .help = "What is due afterwards.", .required = true},
         {.name = "rest_on", .type = date().or_null(), .help = "The day by which the rest is due; null: none."},
         {.name = "plan",
          .type =
              list(object("Installment", {{.name = "date", .type = date(), .help = "Due by then.", .required = true},
                                          {.name = "amount", .type = money(), .required = true},
                                          {.name = "number", .type = integer(1), .required = true},
                                          {.name = "count",
                                           .type = integer(1),
                                           .help = "Of all installments, those paid included.",
                                           .required = true}}),
                   100),
          .help = "The installments of the rest, whose amounts come to it; empty: it is paid at once."},
         {.name = "plan_binds",
          .type = boolean(),
          .help = "Whether the installments are paid one after the other, not all at once."},
         {.name = "seats_lapse", .type = boolean(), .help = "Whether the booking ends if it is not paid by due_by."},
         {.name = "gateway", .type = text(50), .help = "The gateway of the booking."}});
}

}  // namespace svc::booking
