// The base as the shell sees it: an assembly behind a gate.
#include "base/app/base.hpp"

#include "base/app/assembly.hpp"
#include "base/app/discovery.hpp"
#include "base/app/health.hpp"
#include "base/app/inner_calls.hpp"
#include "base/platform/printing/press.hpp"

namespace svc {
namespace {

class AssembledBase final : public Base {
  public:
    AssembledBase(const BaseOptions& options, svc_plugin_entry_fn* plugin) : parts_(options), file_(options.database) {
        parts_.start(plugin);
        gate_ = std::make_unique<app::Gate>(app::make_gate(parts_));  // last: every route is known
        parts_.pages.pages.ask([this](const api::InnerRequest& request) { return gate_->ask(request); });
        calls_ = app::inner_calls({.gate = *gate_,
                                   .base_path = options.base_path,
                                   .gatekeeper = parts_.identity.gatekeeper,
                                   .after_write = [this] { pages().written(); }});
        parts_.plugins.calls.open(calls_);
    }
    ~AssembledBase() override { parts_.stop(); }  // no plugin calls a gate that is gone
    AssembledBase(const AssembledBase&) = delete;
    AssembledBase& operator=(const AssembledBase&) = delete;

    HttpPlan plan(std::string_view method, std::string_view target, const std::vector<HttpHeader>& headers) override {
        return pages().serves(target) ? pages().plan(method, target, headers) : gate_->plan(method, target, headers);
    }
    HttpAnswer answer(const HttpRequest& request) override {
        const bool reads = request.method == "GET" || request.method == "HEAD";
        if (pages().serves(request.target))
            return noted(reads, by_https(pages().answer(request)));
        return noted(reads, by_https(gate_->answer(request)));
    }
    std::optional<HttpAnswer> answer_at_once(const HttpRequest& request) override {
        auto answer = pages().serves(request.target) ? pages().answer_at_once(request) : gate_->answer_at_once(request);
        if (answer)
            answer = by_https(std::move(*answer));
        if (pages().serves(request.target))
            return answer;
        if (answer && request.method != "GET" && request.method != "HEAD")
            pages().written();
        return answer;
    }
    std::optional<HttpAnswer> refusal_of_head(const HttpRequest& head) override { return gate_->refusal_of_head(head); }
    HttpAnswer redirected(const HttpRequest& request, const std::string& location) override {
        return by_https(gate_->redirected(request, location));
    }
    std::string network(std::string_view peer) override {
        const auto address = limits::Address::parse(peer);
        if (!address)
            return std::string(peer);
        return parts_.site.installation.trusted_proxies.contains(*address) ? std::string() : address->network();
    }
    HttpAnswer failure(int status, const std::vector<HttpHeader>& headers) override {
        return by_https(gate_->failure(status, headers));
    }
    Readiness readiness() override { return app::readiness_of(parts_, file_); }
    std::string metrics() override { return parts_.metrics.text(); }
    void draining() override { parts_.draining = true; }
    void stop() override { parts_.stop(); }
    std::string route_list() override { return app::route_list(parts_.routes); }
    std::string plugin_state() override { return parts_.plugins.service.state(); }

  private:
    pages::Pages& pages() { return parts_.pages.pages; }
    // A browser that has seen a site by https never asks for it by http again.
    HttpAnswer by_https(HttpAnswer answer) {
        if (is_https_)
            answer.headers.emplace_back("Strict-Transport-Security", "max-age=31536000");
        return answer;
    }
    // Runs before the answer is sent, so that writers find pages that show their write.
    HttpAnswer noted(bool reads, HttpAnswer answer) {
        if (!reads)
            pages().written();
        return answer;
    }

    app::Assembly parts_;
    const store::DatabaseFile file_;
    const bool is_https_ = parts_.site.installation.address.starts_with("https://");
    std::unique_ptr<app::Gate> gate_;
    plugins::Call calls_;
};

}  // namespace

std::unique_ptr<Base> Base::open(const BaseOptions& options, svc_plugin_entry_fn* plugin, const std::string&) {
    printing::require();
    return std::make_unique<AssembledBase>(options, plugin);
}

}  // namespace svc
