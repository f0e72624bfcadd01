// Google's Measurement Protocol: the message of an event, and what answers mean. Module google_analytics.
#pragma once

#include "pro/tracking/wire.hpp"

namespace svc::pro::google_analytics {

// `host`: scheme and host of the collecting server. `is_debug`: events appear in DebugView, and Google's validation
// server looks at each before it is sent; asked for at each event.
tracking::Wire wire(std::function<std::string()> host, std::function<bool()> is_debug);

// An event that counts nowhere, for Google's validation server.
plugin::FetchTwo::Request question(const std::string& host, const std::string& id, const std::string& secret);
// What the validation server finds; empty: nothing. Nothing at all: it gave no answer of its form.
std::optional<std::string> faults_in(const plugin::FetchReply& reply);

}  // namespace svc::pro::google_analytics
