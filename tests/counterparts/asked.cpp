// Our gateways asked from outside, a JSON line each: what the counterparts of tests/counterparts compare theirs with.
#include <algorithm>
#include <iostream>
#include <string>

#include "base/platform/outbound/fetch.hpp"
#include "pro/gateways/razorpay.hpp"
#include "pro/gateways/razorpay_wire.hpp"
#include "pro/gateways/signature.hpp"
#include "pro/gateways/stripe.hpp"
#include "shared/plugin/codec_gateway.hpp"

using namespace svc;
using json::Value;

namespace {

std::vector<std::string> texts(const Value& list) {
    std::vector<std::string> all;
    for (const Value& item : list.items())
        all.push_back(item.text());
    return all;
}

Value verdict(const Result<void>& checked) {
    return Value::object({{"ok", static_cast<bool>(checked)}, {"why", checked ? "" : checked.error().cause()}});
}

template <class T>
Value told(const Result<T>& answer) {
    if (!answer)
        return Value::object({{"error", answer.error().code().name}, {"why", answer.error().cause()}});
    return Value::object({{"answer", plugin::to_json(*answer)}});
}

class Asked {
  public:
    Asked(const std::string& allowed, std::chrono::milliseconds patience)
        : patience_(patience),
          allowed_(std::vector<std::string>{allowed}),
          stripe_(pro::gateways::stripe_gateway(send())),
          razorpay_(pro::gateways::razorpay_gateway(send())) {}

    Value answer(const Value& asked) const {
        const std::string what = asked["ask"].text();
        const std::string body = asked.text_or("body");
        if (what == "timed")
            return verdict(
                pro::gateways::check_timed_signature(asked["header"].text(), body, texts(asked["secrets"]),
                                                     Instant::from_micros(asked["now"].integer() * 1'000'000)));
        if (what == "plain")
            return verdict(pro::gateways::check_plain_signature(asked["header"].text(), body, texts(asked["secrets"])));
        if (what == "proves")
            return Value::object(
                {{"ok", pro::gateways::razorpay::proves(asked["order"].text(), asked["payment"].text(),
                                                        asked["signature"].text(), asked["secret"].text())}});
        const plugin::Gateway& gateway = asked.text_or("gateway") == "razorpay" ? *razorpay_ : *stripe_;
        const auto at = plugin::situation_from(asked["situation"]);
        if (what == "intent")
            return told(gateway.intent(at, plugin::intent_request_from(asked["wanted"])));
        if (what == "confirm")
            return told(gateway.confirm(at, plugin::inquiry_from(asked["inquiry"])));
        if (what == "refund")
            return told(gateway.refund(at, plugin::refund_request_from(asked["wanted"])));
        if (what == "charge_saved")
            return told(gateway.charge_saved(at, plugin::saved_charge_from(asked["wanted"])));
        if (what == "probe") {
            const auto said = gateway.probe(at);
            return said ? Value::object({{"answer", *said}}) : Value::object({{"error", said.error().code().name}});
        }
        if (what == "webhook")
            return told(gateway.webhook(at, plugin::webhook_call_from(asked["headers"], body)));
        throw std::runtime_error("nobody can be asked for " + what);
    }

  private:
    pro::gateways::Send send() const {
        return [this](const plugin::FetchRequest& request) -> Result<plugin::FetchReply> {
            auto answer = outbound::fetch({.url = request.url,
                                           .method = request.method,
                                           .headers = request.headers,
                                           .body = request.body,
                                           .timeout = std::min(request.timeout, patience_),
                                           .most_bytes = request.limit},
                                          allowed_);
            if (!answer)
                return answer.error();
            return plugin::FetchReply{
                .status = answer->status, .headers = std::move(answer->headers), .body = std::move(answer->body)};
        };
    }

    const std::chrono::milliseconds patience_;
    const outbound::Allowed allowed_;
    const std::unique_ptr<plugin::Gateway> stripe_, razorpay_;
};

}  // namespace

// The arguments: the counterpart's host:port, and how many milliseconds it is waited for at most.
int main(int count, char** arguments) {
    const Asked asked(count > 1 ? arguments[1] : "127.0.0.1:1",
                      std::chrono::milliseconds(count > 2 ? std::stoi(arguments[2]) : 10'000));
    for (std::string line; std::getline(std::cin, line);) {
        const auto read = json::parse(line, {.depth = 32, .elements = 100'000, .text = 1 << 20});
        if (!read)
            return 1;
        std::cout << asked.answer(*read).dump() << std::endl;
    }
    return 0;
}
