// Followers of changes that plugins declare: see svc.changes/1.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace svc::plugins {

// What plugins follow. An empty function: the ability is not offered.
struct ChangeSource {
    // Calls `changed` after changes of that channel of the feed, and now and then without one. [start-up]
    std::function<void(const std::string& channel, std::function<void()> changed)> follow = {};
    std::vector<std::string> of_base = {};  // the base's channels that plugins may follow
    // A plugin has counted a change of its own; called after the commit, on its thread.
    std::function<void()> touched = {};
};

// The feed's channel of what a plugin counts. The feed is told of its channels before a plugin is attached, so plugins
// share sixteen: one of them may report a change of another's.
std::string own_channel(std::string_view plugin, std::string_view word);
const std::vector<std::string>& own_channels();

// Hands on what the feed reports. Any thread.
class ChangeHub {
  public:
    void follow(const std::string& channel, std::function<void()> changed);
    // Runs the followers of the channel, on this thread.
    void report(const std::string& channel) const;

  private:
    mutable std::mutex mutex_;
    std::multimap<std::string, std::function<void()>> followers_;
};

// The channels that one plugin follows, by the names that it uses, and how often each was reported. Written at
// start-up, then any thread.
struct Followed {
    struct Channel {
        std::string of_feed;
        std::atomic<std::int64_t> reports = 0;
        std::vector<std::function<void()>> followers = {};
        void report();
    };
    std::map<std::string, std::shared_ptr<Channel>, std::less<>> channels;
};

}  // namespace svc::plugins
