// The JSON form of templates and e-mails, both ways.
#include "shared/mails/offered.hpp"

#include <algorithm>

namespace svc::mails {
namespace {

using json::Value;

Value to_json(const LanguageText& text) {
    auto object = Value::object();
    for (const auto& [language, words] : text)
        object.set(language, words);
    return object;
}

// A string is English.
Result<LanguageText> language_text(const Value& value, const std::string& field) {
    LanguageText text;
    if (value.is_string() && !value.text().empty())
        text.emplace("en", value.text());
    if (value.is_string() || value.is_null())
        return text;
    if (!value.is_object())
        return invalid(field, "Enter a text, or an object of texts by language."_sentence);
    for (const auto& [language, words] : value.members()) {
        if (!words.is_string())
            return invalid(field, "Enter a text, or an object of texts by language."_sentence);
        text.emplace(std::string(language), words.text());
    }
    if (!text.empty() && !text.contains("en"))
        return invalid(field, "Add the English text, \"en\"."_sentence);
    return text;
}

std::optional<Instant> moment(const Value& value) {
    return value.is_number() ? std::optional(Instant::from_micros(value.integer())) : std::nullopt;
}

}  // namespace

const std::string& text_for(const LanguageText& text, std::string_view locale) {
    static const std::string none;
    const std::string_view language = locale.substr(0, locale.find_first_of("-_"));
    auto found = text.find(language);
    if (found == text.end())
        found = text.find(std::string_view("en"));
    return found == text.end() ? none : found->second;
}

Value to_json(const OfferedTemplate& offered) {
    auto tags = Value::array();
    for (const OfferedTag& tag : offered.tags)
        tags.push(Value::object({{"key", tag.key},
                                 {"label", tag.label},
                                 {"sentence", tag.sentence},
                                 {"sample", to_json(tag.sample)},
                                 {"is_secret", tag.is_secret}}));
    return Value::object({{"key", offered.key},
                          {"event_key", offered.event_key},
                          {"name", offered.name},
                          {"module", offered.module},
                          {"subject", to_json(offered.subject)},
                          {"body", to_json(offered.body)},
                          {"category", offered.category},
                          {"tags", std::move(tags)},
                          {"is_about_booking", offered.is_about_booking}});
}

Value to_json(const QueuedMail& mail) {
    auto values = Value::object();
    for (const auto& [tag, text] : mail.values)
        values.set(tag, to_json(text));
    return Value::object({{"template", mail.template_key},
                          {"dedupe_key", mail.dedupe_key},
                          {"booking_id", mail.booking_id ? Value(*mail.booking_id) : Value()},
                          {"to", mail.to},
                          {"locale", mail.locale},
                          {"values", std::move(values)},
                          {"asks_for_payment", mail.asks_for_payment}});
}

Value to_json(const LogQuery& query) {
    return Value::object({{"template", query.template_key},
                          {"dedupe_key", query.dedupe_key},
                          {"booking_id", query.booking_id ? Value(*query.booking_id) : Value()},
                          {"limit", query.limit}});
}

Value to_json(const LoggedMail& mail) {
    return Value::object({{"id", mail.id},
                          {"template", mail.template_key},
                          {"dedupe_key", mail.dedupe_key},
                          {"to", mail.to},
                          {"subject", mail.subject},
                          {"status", mail.status},
                          {"error", mail.error},
                          {"booking_id", mail.booking_id ? Value(*mail.booking_id) : Value()},
                          {"created_at", mail.created_at.micros()},
                          {"sent_at", mail.sent_at ? Value(mail.sent_at->micros()) : Value()}});
}

Result<OfferedTemplate> template_from(const Value& value) {
    OfferedTemplate offered{.key = value.text_or("key"),
                            .event_key = value.text_or("event_key"),
                            .name = value.text_or("name"),
                            .module = value.text_or("module"),
                            .subject = {},
                            .body = {},
                            .category = value.text_or("category"),
                            .is_about_booking = value.maybe_boolean("is_about_booking").value_or(false)};
    SVC_ASSIGN_OR_RETURN(offered.subject, language_text(value["subject"], "subject"));
    SVC_ASSIGN_OR_RETURN(offered.body, language_text(value["body"], "body"));
    if (value["tags"].is_array())
        for (const Value& each : value["tags"].items()) {
            OfferedTag tag{.key = each.text_or("key"),
                           .label = each.text_or("label"),
                           .sentence = each.text_or("sentence"),
                           .is_secret = each.maybe_boolean("is_secret").value_or(false)};
            SVC_ASSIGN_OR_RETURN(tag.sample, language_text(each["sample"], "tags"));
            offered.tags.push_back(std::move(tag));
        }
    return offered;
}

Result<QueuedMail> mail_from(const Value& value) {
    QueuedMail mail{.template_key = value.text_or("template"),
                    .dedupe_key = value.text_or("dedupe_key"),
                    .booking_id = value.maybe_integer("booking_id"),
                    .to = value.text_or("to"),
                    .locale = value.text_or("locale"),
                    .asks_for_payment = value.maybe_boolean("asks_for_payment").value_or(false)};
    if (value["values"].is_object())
        for (const auto& [tag, text] : value["values"].members()) {
            SVC_ASSIGN_OR_RETURN(mail.values[std::string(tag)], language_text(text, "values"));
        }
    return mail;
}

Result<LogQuery> query_from(const Value& value) {
    LogQuery query{.template_key = value.text_or("template"),
                   .dedupe_key = value.text_or("dedupe_key"),
                   .booking_id = value.maybe_integer("booking_id"),
                   .limit = value.maybe_integer("limit").value_or(20)};
    if (query.limit < 1 || query.limit > 100)
        return invalid("limit", "Enter a number from 1 to 100."_sentence);
    return query;
}

Result<LoggedMail> logged_from(const Value& value) {
    const auto created = moment(value["created_at"]);
    const auto id = value.maybe_integer("id");
    if (!id || !created)
        return invalid("id", "An e-mail of the log has an id and the moment when it was queued."_sentence);
    return LoggedMail{.id = *id,
                      .template_key = value.text_or("template"),
                      .dedupe_key = value.text_or("dedupe_key"),
                      .to = value.text_or("to"),
                      .subject = value.text_or("subject"),
                      .status = value.text_or("status"),
                      .error = value.text_or("error"),
                      .booking_id = value.maybe_integer("booking_id"),
                      .created_at = *created,
                      .sent_at = moment(value["sent_at"])};
}

}  // namespace svc::mails
