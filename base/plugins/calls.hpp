// Calls of routes that a plugin makes in this process: see svc.calls/1.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::plugins {

struct CallRequest {
    enum class As : std::uint8_t { visitor, user, system };
    std::string method, path;  // below the namespace
    json::Value query = json::Value::object();
    json::Value body = {};  // null: none
    As as = As::visitor;
    std::int64_t user_id = 0;
    std::string address = {}, language = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
};

struct CallReply {
    int status = 0;
    json::Value body = {};
    std::string raw = {};  // an answer that is no JSON
    std::vector<std::pair<std::string, std::string>> headers = {};
};

using Call = std::function<Result<CallReply>(const CallRequest&)>;

// Where calls go once the base serves; until then they are store::Unavailable. Any thread.
class CallDoor {
  public:
    // The call outlives every plugin. Once, before the base serves.
    void open(const Call& call) { call_ = &call; }
    Result<CallReply> operator()(const CallRequest& request) const;

  private:
    std::atomic<const Call*> call_ = nullptr;
};

}  // namespace svc::plugins
