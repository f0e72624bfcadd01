// SQL of the methods that customers let us charge later.
#include "base/payment/saved_repository.hpp"

namespace svc::payment {
namespace {

#define SVC_SAVED_OF_USER                                                                                        \
    "SELECT id, gateway, gateway_customer_id, gateway_method_id, brand, last4, exp_month, exp_year, is_default," \
    " is_test, created_at FROM svc_saved_payment_methods WHERE status = 'active' AND user_id = :user_id"

constexpr store::Columns saved_columns = "itttttiiiii";

StoredMethod read_method(const store::Row& row) {
    return {.id = row.integer(0),
            .gateway = row.text(1),
            .method = {.customer = row.text(2),
                       .method = row.text(3),
                       .brand = row.text(4),
                       .last4 = row.text(5),
                       .exp_month = row.integer(6),
                       .exp_year = row.integer(7)},
            .is_default = row.flag(8),
            .is_test = row.is_null(9) ? std::nullopt : std::optional(row.flag(9)),
            .created_at = row.instant(10)};
}

}  // namespace

std::optional<std::int64_t> SavedRepository::keep(store::Transaction& tx, std::int64_t user_id,
                                                  std::int64_t customer_id, std::string_view gateway,
                                                  const SavedMethod& method, std::optional<bool> is_test, Instant now) {
    tx.run(
        "INSERT INTO svc_saved_payment_methods (user_id, customer_id, gateway, gateway_customer_id, gateway_method_id, "
        "brand,"
        " last4, exp_month, exp_year, is_default, is_test, created_at) VALUES (:user_id, :customer_id, :gateway,"
        " :customer, :method, :brand, :last4, :exp_month, :exp_year, CASE WHEN EXISTS (SELECT 1 FROM "
        "svc_saved_payment_methods"
        " WHERE user_id = :user_id AND gateway = :gateway AND status = 'active' AND is_default = 1) THEN 0"
        " ELSE 1 END, :is_test, :now) ON CONFLICT (gateway, gateway_method_id) DO NOTHING",
        {{"user_id", user_id},
         {"customer_id", customer_id},
         {"gateway", gateway},
         {"customer", method.customer},
         {"method", method.method},
         {"brand", method.brand},
         {"last4", method.last4},
         {"exp_month", method.exp_month},
         {"exp_year", method.exp_year},
         {"is_test", is_test},
         {"now", now}});
    return tx.first<std::int64_t>(
        "SELECT id FROM svc_saved_payment_methods WHERE gateway = :gateway AND gateway_method_id = :method"
        " AND user_id = :user_id",
        "i", {{"gateway", gateway}, {"method", method.method}, {"user_id", user_id}},
        [](const store::Row& row) { return row.integer(0); });
}

std::optional<StoredMethod> SavedRepository::of_user(store::Session& session, std::int64_t user_id, std::int64_t id) {
    return session.first<StoredMethod>(SVC_SAVED_OF_USER " AND id = :id", saved_columns,
                                       {{"user_id", user_id}, {"id", id}}, read_method);
}

std::vector<StoredMethod> SavedRepository::of_user(store::Session& session, std::int64_t user_id) {
    return session.all<StoredMethod>(SVC_SAVED_OF_USER " ORDER BY id DESC", saved_columns, {{"user_id", user_id}},
                                     read_method);
}

void SavedRepository::detach(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_saved_payment_methods SET status = 'detached', is_default = 0 WHERE id = :id", {{"id", id}});
}

}  // namespace svc::payment
