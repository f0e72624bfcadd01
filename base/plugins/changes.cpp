// svc.changes/1: what has changed since, in any process.
#include "base/platform/store/changes.hpp"

#include <algorithm>

#include "base/plugins/collect.hpp"
#include "base/plugins/outside.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::view;

// The feed's name of a channel; Malformed for what is none.
std::string channel_named(const Registration& r, std::string_view text) {
    constexpr std::string_view of_base = "base:";
    if (!text.starts_with(of_base))
        return own_channel(r.guest->name(), own_word(text));
    const std::string name(text.substr(of_base.size()));
    const auto& known = r.services.changes.of_base;
    if (std::find(known.begin(), known.end(), name) == known.end())
        throw Malformed("The base has no channel " + name + ".");
    return name;
}

svc_status follow(void* self, svc_text channel, void* context, void (*changed)(void*)) noexcept {
    return collect(self, "channel of changes", [&](Registration& r) {
        const std::string of_feed = channel_named(r, view(channel));
        auto& place = r.followed.channels[std::string(view(channel))];
        if (!place) {
            place = std::make_shared<Followed::Channel>();
            place->of_feed = of_feed;
        }
        if (changed)
            place->followers.emplace_back([guest = r.guest, context, changed] {
                guest->must_be_here();
                static_cast<void>(plugin::barrier(nullptr, [&] { return changed(context), SVC_OK; }));
            });
    });
}

svc_status touch(void* self, svc_session* transaction, svc_text channel, svc_answer* answer) noexcept {
    return plugin::barrier(answer, [&] {
        const auto& r = attached(self);
        if (view(channel).starts_with("base:"))
            return plugin::answer_error(answer, errc::not_found);
        store::Transaction& tx = plugin::transaction_of(transaction);
        store::touch(tx, channel_named(r, view(channel)));
        if (r.services.changes.touched)
            tx.after_commit(r.services.changes.touched);
        return SVC_OK;
    });
}

svc_status token(void* self, svc_text channel, std::int64_t* token) noexcept {
    return plugin::barrier(nullptr, [&] {
        const auto& r = attached(self);
        const auto found = r.followed.channels.find(view(channel));
        if (found == r.followed.channels.end())
            return SVC_REFUSED;
        *token = found->second->reports.load();
        return SVC_OK;
    });
}

}  // namespace

void Followed::Channel::report() {
    reports.fetch_add(1);
    for (const auto& changed : followers)
        changed();
}

void ChangeHub::follow(const std::string& channel, std::function<void()> changed) {
    const std::lock_guard lock(mutex_);
    followers_.emplace(channel, std::move(changed));
}

void ChangeHub::report(const std::string& channel) const {
    std::vector<std::function<void()>> all;  // run without the lock
    {
        const std::lock_guard lock(mutex_);
        const auto [from, to] = followers_.equal_range(channel);
        for (auto at = from; at != to; ++at)
            all.push_back(at->second);
    }
    for (const auto& changed : all)
        changed();
}

const std::vector<std::string>& own_channels() {
    static const std::vector<std::string> all = [] {
        constexpr int count = 16;
        std::vector<std::string> names;
        for (int i = 0; i < count; ++i)
            names.push_back("plugin-" + std::to_string(i));
        return names;
    }();
    return all;
}

// The same in every process and release of an installation, so no std::hash.
std::string own_channel(std::string_view plugin, std::string_view word) {
    std::uint32_t sum = 2166136261U;  // FNV-1a
    for (const auto& part : {plugin, std::string_view(":"), word})
        for (const char c : part)
            sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
    return own_channels()[sum % own_channels().size()];
}

void follow_changes(Registration& r) {
    for (const auto& [name, channel] : r.followed.channels)
        r.services.changes.follow(channel->of_feed, [channel = channel] { channel->report(); });
}

svc_changes_1 changes_table_of(Registration& r) { return {sizeof(svc_changes_1), &r, &follow, &touch, &token}; }

}  // namespace svc::plugins
