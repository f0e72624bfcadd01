// The six sequences, and their texts from the files of mails/.
#include "pro/email_automation/seeds.hpp"

#include <algorithm>
#include <span>

#include "pro/common/mail_files.hpp"
#include "pro/email_automation/email_template.hpp"
#include "pro/email_automation/events.hpp"
#include "pro/email_automation/sequence.hpp"
#include "shared/core/embedded.hpp"
#include "shared/store/typed.hpp"

namespace svc::embedded {
std::span<const Embedded> email_automation_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::email_automation {
namespace {

std::vector<Seed> made() {
    std::vector<Seed> all{{.key = "welcome",
                           .name = "Welcome",
                           .description = "Greets whoever has a confirmed booking.",
                           .trigger_type = "booking.confirmed",
                           .template_key = "sequence_welcome",
                           .template_name = "Sequence: welcome"},
                          {.key = "prepare",
                           .name = "Prepare",
                           .description = "A month before the trip: papers, insurance, details of travelers.",
                           .trigger_type = std::string(before_trip),
                           .trigger_days = 30,
                           .template_key = "sequence_prepare",
                           .template_name = "Sequence: prepare"},
                          {.key = "packing",
                           .name = "Packing list",
                           .description = "A week before the trip: what to pack.",
                           .trigger_type = std::string(before_trip),
                           .trigger_days = 7,
                           .template_key = "sequence_packing",
                           .template_name = "Sequence: packing list"},
                          {.key = "day_before",
                           .name = "Day before",
                           .description = "The day before the trip: where and when to meet.",
                           .trigger_type = std::string(before_trip),
                           .trigger_days = 1,
                           .template_key = "sequence_day_before",
                           .template_name = "Sequence: day before"},
                          {.key = "review",
                           .name = "Ask for a review",
                           .description = "Two days after the trip, unless it was reviewed already.",
                           .trigger_type = std::string(after_trip),
                           .trigger_days = 2,
                           .stop_on = {std::string(reviewed)},
                           .template_key = "sequence_review",
                           .template_name = "Sequence: ask for a review"},
                          {.key = "win_back",
                           .name = "Win back",
                           .description = "Ten months after the trip, to those who agreed to marketing.",
                           .trigger_type = std::string(after_trip),
                           .trigger_days = 300,
                           .template_key = "sequence_win_back",
                           .template_name = "Sequence: win back",
                           .is_marketing = true}};
    for (Seed& seed : all)
        add_mail_texts(seed, embedded::email_automation_mails(), seed.template_key);
    return all;
}

}  // namespace

const std::vector<Seed>& seeds() {
    static const std::vector<Seed> all = made();
    return all;
}

const Seed* seed_of_template(std::string_view template_key) {
    const auto found = std::find_if(seeds().begin(), seeds().end(),
                                    [&](const Seed& seed) { return seed.template_key == template_key; });
    return found == seeds().end() ? nullptr : &*found;
}

void store_seeds(store::Transaction& tx, Instant now) {
    static const std::string unless_there = template_record().insert_statement("ON CONFLICT DO NOTHING");
    const record::Writer writer{.user_id = {}, .now = now};
    for (const Seed& seed : seeds()) {
        EmailTemplate text;
        text.template_key = seed.template_key;
        text.name = seed.template_name;
        text.category = seed.is_marketing ? std::string(marketing) : std::string("booking");
        text.subject = mails::text_for(seed.subject, "en");
        text.body = mails::text_for(seed.body, "en");
        text.is_system = true;
        text.is_customized = false;
        template_record().insert_new(tx, unless_there, text, writer);
        if (tx.number("SELECT COUNT(*) FROM svc_email_sequences WHERE seed_key = :key", {{"key", seed.key}}) > 0)
            continue;
        Sequence sequence;
        sequence.seed_key = seed.key;
        sequence.name = seed.name;
        sequence.description = seed.description;
        sequence.trigger_type = seed.trigger_type;
        sequence.trigger_days = seed.trigger_days;
        sequence.stop_on = seed.stop_on;
        Step step;
        step.delay_value = seed.delay_days;
        step.template_id = tx.number("SELECT id FROM svc_email_templates WHERE template_key = :key AND overrides = ''",
                                     {{"key", seed.template_key}});
        sequence.steps.push_back(std::move(step));
        sequence_record().insert(tx, sequence, writer);
        write_steps(tx, sequence.id, sequence.steps);
    }
}

}  // namespace svc::pro::email_automation
