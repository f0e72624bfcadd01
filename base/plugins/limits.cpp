// svc.limits/1: the base's limiter for a plugin's routes and actions.
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/client_address.hpp"
#include "base/plugins/outside.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::text_of;

// Mailboxes and keys are stored as hashes: the table of limits names nobody.
std::string subject_of(const json::Value& use) {
    const std::string by = text_of(use, "by"), subject = text_of(use, "subject");
    if (subject.empty())
        throw Malformed("\"subject\" is empty.");
    if (by == "address")
        return limits::network_of(subject);
    if (by == "key")
        return crypto::sha256_hex(subject);
    if (by != "mailbox")
        throw Malformed("\"by\" is address, mailbox or key.");
    const std::string_view address = ascii::trimmed(subject);
    const std::string mailbox = mailbox_key(address);
    return crypto::sha256_hex(mailbox.empty() ? text::folded(address) : mailbox);
}

limits::Limit limit_of(const json::Value& use) {
    const auto burst = use.maybe_integer("burst").value_or(0), seconds = use.maybe_integer("seconds").value_or(0);
    if (burst < 1 || burst > 100'000 || seconds < 1 || seconds > 86'400)
        throw Malformed("\"burst\" is 1 to 100000, \"seconds\" 1 to 86400.");
    return {.burst = static_cast<int>(burst), .per = std::chrono::seconds(seconds)};
}

svc_status take(void* self, svc_text text, svc_answer* answer) noexcept {
    return plugin::barrier(answer, [&] {
        auto& r = attached(self);
        const auto use = plugin::read_json(text);
        const bool strict = use.maybe_boolean("strict").value_or(false);
        if (strict) {
            NoWait::refuse();
            if (plugin::is_lent_here() || r.services.is_in_transaction())
                return plugin::answer_failure(answer, SVC_FAILURE_DETACHED,
                                              "A strict use inside a transaction or a session's callback.");
        }
        try {
            const std::string bucket = "plugin:" + r.guest->name() + ":" + own_word(text_of(use, "action"));
            const auto verdict = r.services.take_limit(bucket, subject_of(use), limit_of(use), strict);
            if (const auto allowed = limits::answer_of(verdict); !allowed)
                return plugin::answer_error(answer, allowed.error());
            return plugin::answer_value(
                answer,
                json::Value::object({{"limit", verdict.limit}, {"rest", verdict.rest}, {"reset", verdict.reset}}));
        } catch (const Malformed& fault) {
            return plugin::answer_error(answer, Error{errc::validation_error, Sentence::verbatim(fault.what())});
        }
    });
}

}  // namespace

svc_limits_1 limits_table_of(Registration& r) { return {sizeof(svc_limits_1), &r, &take}; }

}  // namespace svc::plugins
