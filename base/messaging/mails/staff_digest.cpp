// One e-mail for all that were held back, an hour after the first of them.
#include "base/messaging/mails/staff_digest.hpp"

#include "base/messaging/outbox/stranger_mails.hpp"
#include "base/platform/html/html.hpp"

namespace svc::messaging {
namespace {

constexpr int most_in_a_digest = 1000;
constexpr std::size_t most_listed = 100;
constexpr const char* digest = "admin_digest";

std::string list_of(const std::vector<outbox::HeldBack>& held, const Words& words) {
    std::string items;
    for (std::size_t i = 0; i < held.size() && i < most_listed; ++i)
        items += "<li>" + html::escaped(held[i].subject) + "</li>";
    std::string list = "<ul>" + items + "</ul>";
    if (held.size() > most_listed)
        list += "<p>" +
                html::escaped(words.say_text("and {more, plural, one {# more} other {# more}}",
                                             {{"more", static_cast<std::int64_t>(held.size() - most_listed)}})) +
                "</p>";
    return list;
}

Result<json::Value> send_digest(Service& service, store::Store& store, Instant now) {
    const auto held = store.reading<std::vector<outbox::HeldBack>>(
        [](store::Session& session) { return outbox::held_back(session, most_in_a_digest); });
    if (held.empty() || held.front().created_at.plus(std::chrono::hours(1)) > now)
        return json::Value::object({{"held_back", held.size()}, {"reported", 0}});
    const Template& which = template_of(digest);
    service.mailer.notify_staff(digest, service.composer.wording_of(which),
                                {{"mails_count", std::to_string(held.size())},
                                 {"mails_list_html", list_of(held, service.values.words_of_site())}},
                                std::string(digest) + ":" + std::to_string(held.back().id));
    SVC_RETURN_IF_ERROR(store.write([&](store::Transaction& tx) -> Result<void> {
        outbox::release_held(tx, held.back().id);
        return {};
    }));
    return json::Value::object({{"held_back", 0}, {"reported", held.size()}});
}

}  // namespace

jobs::Job digest_job(Service& service, store::Store& store) {
    return {.name = "mail_digest",
            .help = "Mails staff the subjects of e-mails that were too many for an hour.",
            .every = std::chrono::seconds(300),
            .run = [&service, &store](Instant now) { return send_digest(service, store, now); }};
}

}  // namespace svc::messaging
