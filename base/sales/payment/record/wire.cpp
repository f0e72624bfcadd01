// The wire form of payments and gateways.
#include "base/sales/payment/record/wire.hpp"

#include <algorithm>

#include "base/sales/payment/record/payment_record.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::payment {

using json::Value;

std::optional<Currency> currency_named(std::string_view code) {
    std::string upper(code);
    for (char& c : upper)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    const auto currency = Currency::parse(upper);
    return currency ? std::optional(*currency) : std::nullopt;
}

namespace {

constexpr const char* staff_fields_of_payment[] = {"notes", "fee", "reconciliation"};

}  // namespace

Value to_json(const Payment& payment) { return payment_record().to_json(payment); }

Value to_own_json(const Payment& payment) {
    Value own = to_json(payment);
    for (const char* name : staff_fields_of_payment)
        own.erase(name);
    return own;
}

api::Type payment_answer() { return api::object(payment_record().answer_schema()); }

api::Type payment_status_answer() {
    return api::object(payment_record()
                           .answer_schema()
                           .changed([](api::Field& field) {
                               if (std::find(std::begin(staff_fields_of_payment), std::end(staff_fields_of_payment),
                                             field.name) != std::end(staff_fields_of_payment))
                                   field = api::sometimes_sent(std::move(field));
                           })
                           .plus({{.name = "invoice_token",
                                   .type = api::text(200),
                                   .help = "Proves the right to read this payment's invoice."}}));
}

}  // namespace svc::payment
