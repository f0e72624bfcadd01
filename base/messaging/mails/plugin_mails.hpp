// E-mails of plugins: their templates, their way through the queue, and their log.
#pragma once

#include "base/feature/site.hpp"
#include "base/messaging/mails/service.hpp"
#include "shared/mails/offered.hpp"

namespace svc::messaging {

class PluginMails {
  public:
    // Both outlive it.
    PluginMails(const Site& site, Service& service) : site_(site), service_(service) {}
    PluginMails(const PluginMails&) = delete;
    PluginMails& operator=(const PluginMails&) = delete;

    // Registers the listener that sends what is queued. [start-up]
    void listen();
    [[nodiscard]] Result<void> check(const mails::OfferedTemplate& offered) const;
    // Declares its settings unless the base has them, its tags and its files. std::logic_error for one that check()
    // rejects. [start-up]
    void add(const std::string& plugin, const mails::OfferedTemplate& offered);

    // Stores the e-mail in the caller's transaction; it is composed and sent after the commit. validation_error names
    // the member that does not fit. [any thread]
    Result<void> queue(store::Transaction& tx, const std::string& plugin, const mails::QueuedMail& mail) const;
    // Those of the plugin, newest first. [any thread, outside of transactions]
    [[nodiscard]] std::vector<mails::LoggedMail> log(const std::string& plugin, const mails::LogQuery& query) const;

  private:
    void send(const std::string& plugin, const std::string& sealed) const;
    void send_about_booking(const Template& which, const mails::QueuedMail& mail, const std::string& dedupe_key) const;
    void send_to_address(const Template& which, const mails::QueuedMail& mail, const std::string& dedupe_key) const;

    const Site& site_;
    Service& service_;
};

}  // namespace svc::messaging
