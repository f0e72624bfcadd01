// svc.mails/1: e-mail templates that a plugin declares, e-mails that it queues, and their log.
#include <algorithm>

#include "base/plugins/collect.hpp"
#include "shared/plugin/guest.hpp"

namespace svc::plugins {
namespace {

using plugin::answer_error;
using plugin::barrier;
using plugin::Malformed;
using plugin::read_json;

Registration& attached_plugin(void* self) {
    auto& registration = *static_cast<Registration*>(self);
    registration.guest->must_be_present();
    return registration;
}

std::string sentence_of(const Error& error) {
    const auto fields = error.fields();
    return fields.empty() ? error.message().english() : fields.front().field + ": " + fields.front().sentence.english();
}

svc_status declare(void* self, svc_text text) noexcept {
    return collect(self, "e-mail", [&](Registration& r) {
        const auto offered = mails::template_from(read_json(text));
        if (!offered)
            throw Malformed(sentence_of(offered.error()));
        const auto same = [&](const mails::OfferedTemplate& other) { return other.key == offered->key; };
        if (std::any_of(r.mail_templates.begin(), r.mail_templates.end(), same))
            throw Malformed("The key " + offered->key + " is taken.");
        if (const auto fits = r.services.mails.check(*offered); !fits)
            throw Malformed(offered->key + ": " + sentence_of(fits.error()));
        const bool is_known = offered->module.empty() ||
                              std::any_of(r.modules.begin(), r.modules.end(), [&](const modules::Module& module) {
                                  return module.slug == offered->module;
                              });
        if (!is_known)
            throw Malformed("Its module " + offered->module + " is not declared.");
        r.mail_templates.push_back(*offered);
    });
}

svc_status queue(void* self, svc_session* transaction, svc_text mail, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& r = attached_plugin(self);
        const auto read = mails::mail_from(read_json(mail));
        if (!read)
            return answer_error(answer, read.error());
        return plugin::answer_result(
            answer, r.services.mails.queue(plugin::transaction_of(transaction), r.guest->name(), *read));
    });
}

svc_status log_of(void* self, svc_text query, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        auto& r = attached_plugin(self);
        const auto read = mails::query_from(read_json(query));
        if (!read)
            return answer_error(answer, read.error());
        auto list = json::Value::array();
        for (const mails::LoggedMail& mail : r.services.mails.log(r.guest->name(), *read))
            list.push(mails::to_json(mail));
        return plugin::answer_value(answer, list);
    });
}

}  // namespace

svc_mails_1 mails_table_of(Registration& r) { return {sizeof(svc_mails_1), &r, &declare, &queue, &log_of}; }

}  // namespace svc::plugins
