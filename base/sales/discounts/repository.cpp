// Statements of discounts that their records do not have.
#include "base/sales/discounts/repository.hpp"

namespace svc::discounts::rows {

std::optional<Discount> by_code(store::Session& session, std::string_view code) {
    static const std::string statement = discount_record().select("WHERE r.code = :code");
    return discount_record().first(session, statement, {{"code", code}});
}

std::vector<Discount> groups(store::Session& session) {
    static const std::string statement =
        discount_record().select("WHERE r.status = 'publish' AND r.mode <> 'promo' ORDER BY r.id");
    return discount_record().all(session, statement);
}

void write_ranges(store::Transaction& tx, const Discount& discount, const record::Writer& writer) {
    tx.run("DELETE FROM svc_discount_ranges WHERE discount_id = :id", {{"id", discount.id}});
    for (Range range : discount.ranges) {
        range.discount_id = discount.id;
        range_record().insert(tx, range, writer);
    }
}

std::int64_t expire(store::Transaction& tx, Date today, Instant now) {
    return tx.run(
        "UPDATE svc_discounts SET status = 'expired', row_version = row_version + 1, updated_at = :now"
        " WHERE status = 'publish' AND expiry_date < :today",
        {{"today", today}, {"now", now}});
}

}  // namespace svc::discounts::rows
