// SQL of the methods that customers let us charge later.
#include "base/sales/payment/checkout/method_repository.hpp"

#include "shared/record/rows.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::payment {
namespace {

const record::Rows<StoredMethod>& method_record() {
    using record::stored, record::within;
    static const record::Rows<StoredMethod> record{
        {.table = "svc_saved_payment_methods"},
        {stored("id", &StoredMethod::id), stored("gateway", &StoredMethod::gateway),
         stored("gateway_customer_id", within(&StoredMethod::method, &SavedMethod::customer)),
         stored("gateway_method_id", within(&StoredMethod::method, &SavedMethod::method)),
         stored("brand", within(&StoredMethod::method, &SavedMethod::brand)),
         stored("last4", within(&StoredMethod::method, &SavedMethod::last4)),
         stored("exp_month", within(&StoredMethod::method, &SavedMethod::exp_month)),
         stored("exp_year", within(&StoredMethod::method, &SavedMethod::exp_year)),
         stored("is_default", &StoredMethod::is_default), stored("is_test", &StoredMethod::is_test),
         stored("created_at", &StoredMethod::created_at)}};
    return record;
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
    return store::first_row(
        tx,
        "SELECT id FROM svc_saved_payment_methods WHERE gateway = :gateway AND gateway_method_id = :method"
        " AND user_id = :user_id",
        {{"gateway", gateway}, {"method", method.method}, {"user_id", user_id}}, [](std::int64_t id) { return id; });
}

std::optional<StoredMethod> SavedRepository::of_user(store::Session& session, std::int64_t user_id, std::int64_t id) {
    static const std::string statement =
        method_record().select("WHERE r.status = 'active' AND r.user_id = :user_id AND r.id = :id");
    return method_record().first(session, statement, {{"user_id", user_id}, {"id", id}});
}

std::vector<StoredMethod> SavedRepository::of_user(store::Session& session, std::int64_t user_id) {
    static const std::string statement =
        method_record().select("WHERE r.status = 'active' AND r.user_id = :user_id ORDER BY r.id DESC");
    return method_record().all(session, statement, {{"user_id", user_id}});
}

void SavedRepository::detach(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_saved_payment_methods SET status = 'detached', is_default = 0 WHERE id = :id", {{"id", id}});
}

}  // namespace svc::payment
