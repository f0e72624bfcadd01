// Followers behind the plugin interface.
#include "shared/plugin/host_changes.hpp"

namespace svc::plugin {

void Changes::follow(const std::string& channel, std::function<void()> changed) {
    const bool calls = static_cast<bool>(changed);
    auto& held = followers_.emplace_back(std::move(changed));
    if (table_->follow(table_->self, borrow(channel), &held, calls ? &call : nullptr) != SVC_OK)
        throw Refused("The base refused the channel " + channel + ".");
}

void Changes::call(void* context) noexcept {
    static_cast<void>(barrier(nullptr, [&] {
        (*static_cast<const std::function<void()>*>(context))();
        return SVC_OK;
    }));
}

void Changes::touch(store::Transaction& tx, std::string_view channel) const {
    Answer answer;
    if (!answer.done(table_->touch(table_->self, Store::face_of(tx), borrow(channel), answer.table())))
        throw Failed("The base has no channel " + std::string(channel) + " of this plugin.");
}

std::int64_t Changes::token(std::string_view channel) const {
    std::int64_t token = 0;
    if (table_->token(table_->self, borrow(channel), &token) != SVC_OK)
        throw Failed("The channel " + std::string(channel) + " is not followed.");
    return token;
}

}  // namespace svc::plugin
