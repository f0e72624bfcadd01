// Bookings behind the plugin interface.
#include "shared/plugin/host_bookings.hpp"

namespace svc::plugin {
namespace {

std::string text_of_by(const Bookings::By& by) {
    return json::Value::object({{"cause", by.cause}, {"name", by.name}, {"reason", by.reason}}).dump();
}

struct Following {
    const Bookings::Also& also;
    const Store& store;
};

svc_status follow(void* context, svc_session* transaction, svc_text booking, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto& following = *static_cast<const Following*>(context);
        Result<void> outcome;
        following.store.within(transaction,
                               [&](store::Transaction& tx) { outcome = following.also(tx, read_json(booking)); });
        return answer_result(answer, outcome);
    });
}

}  // namespace

Result<json::Value> Bookings::quote(const json::Value& wanted) const {
    const auto text = wanted.dump();
    Answer answer;
    return answer.value(table_->quote(table_->self, borrow(text), answer.table()));
}

Result<json::Value> Bookings::hold(const json::Value& wanted, const By& by, const Store& store,
                                   const Also& also) const {
    const auto text = wanted.dump(), acts = text_of_by(by);
    Following following{also, store};
    Answer answer;
    return answer.value(
        table_->hold(table_->self, borrow(text), borrow(acts), &following, also ? &follow : nullptr, answer.table()));
}

Result<json::Value> Bookings::confirm(store::Transaction& tx, std::int64_t booking_id, const By& by) const {
    const auto acts = text_of_by(by);
    Answer answer;
    return answer.value(table_->confirm(table_->self, Store::face_of(tx), booking_id, borrow(acts), answer.table()));
}

Result<json::Value> Bookings::cancel(store::Transaction& tx, std::int64_t booking_id, const By& by) const {
    const auto acts = text_of_by(by);
    Answer answer;
    return answer.value(table_->cancel(table_->self, Store::face_of(tx), booking_id, borrow(acts), answer.table()));
}

}  // namespace svc::plugin
