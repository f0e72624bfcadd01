// A plugin's e-mails behind the plugin interface.
#include "shared/plugin/host_mails.hpp"

#include "shared/plugin/crossing.hpp"

namespace svc::plugin {

void Mails::declare(const mails::OfferedTemplate& offered) {
    const auto text = mails::to_json(offered).dump();
    if (table_->declare(table_->self, borrow(text)) != SVC_OK)
        throw Refused("The base refused the e-mail " + offered.key + ".");
}

Result<void> Mails::queue(store::Transaction& tx, const mails::QueuedMail& mail) const {
    const auto text = mails::to_json(mail).dump();
    Answer answer;
    return answer.done(table_->queue(table_->self, Store::face_of(tx), borrow(text), answer.table()));
}

Result<std::vector<mails::LoggedMail>> Mails::log(const mails::LogQuery& query) const {
    const auto text = mails::to_json(query).dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(const auto crossed, answer.value(table_->log(table_->self, borrow(text), answer.table())));
    std::vector<mails::LoggedMail> all;
    if (!crossed.is_array())
        return all;
    for (const json::Value& each : crossed.items()) {
        SVC_ASSIGN_OR_RETURN(auto mail, mails::logged_from(each));
        all.push_back(std::move(mail));
    }
    return all;
}

}  // namespace svc::plugin
