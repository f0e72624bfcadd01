// Payments that an export of WordPress does not hold, for bookings that were migrated.
#include "base/data/wordpress_import/old_payments.hpp"
#include "base/data/wordpress_import/record_migration.hpp"
#include "base/sales/booking/record/imported.hpp"
#include "shared/core/text.hpp"
#include "shared/store/read_rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::wordpress_import {
namespace {

using booking::Booking;
using json::Value;

constexpr std::size_t longest_transaction = 200;

// The booking that was migrated under that reference.
std::optional<Booking> migrated_booking(store::Transaction& tx, const std::string& reference) {
    const auto id = tx.number("SELECT id FROM svc_bookings WHERE reference = :reference AND source = 'import'",
                              {{"reference", reference}});
    return id > 0 ? booking::find_imported(tx, id) : std::nullopt;
}

// What names the payment, so that it is stored once: the provider's transaction, else its number there.
std::optional<std::string> transaction_of(const Value& fields) {
    if (const std::string given = fields.text_or("transaction"); !given.empty())
        return std::string(text::first(given, longest_transaction));
    const std::string number = fields.text_or("number");
    return number.empty() ? std::nullopt : std::optional("former-" + number);
}

bool is_stored(store::Transaction& tx, const Booking& b, const OldPayment& payment) {
    if (payment.transaction)
        return tx.number("SELECT COUNT(*) FROM svc_payments WHERE transaction_id = :id",
                         {{"id", *payment.transaction}}) > 0;
    return tx.number(
               "SELECT COUNT(*) FROM svc_payments WHERE booking_id = :booking AND source = 'import'"
               " AND amount_minor = :amount AND payment_date = :day",
               {{"booking", b.id}, {"amount", payment.amount.minor()}, {"day", payment.day}}) > 0;
}

}  // namespace

void insert_payment(store::Transaction& tx, const Booking& b, const OldPayment& payment, Instant made) {
    const std::string by = payment.gateway.empty() ? "." : " by " + payment.gateway + ".";
    const auto before = tx.number(
        "SELECT COALESCE(SUM(amount_minor), 0) FROM svc_payments WHERE booking_id = :booking"
        " AND status = 'completed'",
        {{"booking", b.id}});
    tx.run(
        "INSERT INTO svc_payments (booking_id, customer_id, gateway, method, amount_minor, currency, status,"
        " payment_type, source, notes, payment_date, transaction_id, transaction_search, processed_at,"
        " completed_event_at, created_at, updated_at) VALUES (:booking, :customer, 'other', 'other', :amount,"
        " :currency, 'completed', :type, 'import', :notes, :day, :transaction, :search, :made, :made, :made, :made)",
        {{"booking", b.id},
         {"customer", b.customer_id},
         {"amount", payment.amount.minor()},
         {"currency", b.currency.code()},
         {"type", before + payment.amount.minor() >= b.total.minor() ? "final"
                  : before == 0                                      ? "initial"
                                                                     : "partial"},
         {"notes", "Paid in the former installation" + by},
         {"day", payment.day},
         {"transaction", payment.transaction},
         {"search", text::folded(payment.transaction.value_or(""))},
         {"made", made}});
}

Result<Outcome> RecordMigration::migrate_payment(store::Transaction& tx, const Value& fields) const {
    const std::string reference = fields.text_or("reference", fields.text_or("booking"));
    const auto b = migrated_booking(tx, reference);
    if (!b)
        return invalid("booking",
                       "There is no migrated booking ''{reference}''. Migrate the bookings first."_sentence.with(
                           "reference", reference));
    const auto amount = Money::parse(fields.text_or("amount"), b->currency);
    if (!amount || amount->minor() <= 0)
        return invalid("amount", "Enter an amount above 0 with the decimals of {currency}."_sentence.with(
                                     "currency", b->currency.code()));
    if (const std::string code = fields.text_or("currency"); !code.empty() && code != b->currency.code())
        return invalid("currency", "The payment is in {code}, its booking in {currency}."_sentence.with("code", code)
                                       .with("currency", b->currency.code()));
    const auto day = Date::parse(fields.text_or("date"));
    if (!day)
        return invalid("date", "Enter the day of the payment as YYYY-MM-DD."_sentence);
    const OldPayment payment{.amount = *amount,
                             .day = *day,
                             .gateway = std::string(text::first(fields.text_or("gateway"), 60)),
                             .transaction = transaction_of(fields)};
    if (is_stored(tx, *b, payment))
        return Outcome::skipped;
    insert_payment(tx, *b, payment, site_.settings.zone().instant_of(*day, ClockTime::from_minutes(12 * 60)));
    booking::settle_imported(tx, *b, site_.clock.now());
    return Outcome::migrated;
}

void RecordMigration::know_payments(store::Transaction& tx, const std::vector<std::string>& still) const {
    booking::know_all_payments(tx, still, site_.clock.now());
}

}  // namespace svc::wordpress_import
