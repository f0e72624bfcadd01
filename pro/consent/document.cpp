// Builds the blocks of the document in the signer's language.
#include "pro/consent/document.hpp"

#include <algorithm>
#include <charconv>

#include "pro/consent/picture.hpp"
#include "pro/consent/words.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

constexpr int signature_mm = 70, initials_mm = 30;

constexpr Words kind{"Consent form", "Einwilligung", "Consentimiento", "Consentement"},
    audit{"How this was signed", "Wie dies unterzeichnet wurde", "Cómo se firmó", "Comment cela a été signé"},
    agreed{"The signer agreed to sign electronically.",
           "Die unterzeichnende Person hat der elektronischen Unterschrift zugestimmt.",
           "La persona firmante aceptó firmar electrónicamente.",
           "La personne signataire a accepté de signer électroniquement."},
    version{"Version of the form", "Fassung des Formulars", "Versión del formulario", "Version du formulaire"},
    email{"Sent to", "Gesendet an", "Enviado a", "Envoyé à"},
    opened{"Form opened", "Formular geöffnet", "Formulario abierto", "Formulaire ouvert"},
    shown{"Shown for", "Angezeigt für", "Mostrado durante", "Affiché pendant"},
    seconds{"seconds", "Sekunden", "segundos", "secondes"},
    address{"Network address", "Netzwerkadresse", "Dirección de red", "Adresse réseau"},
    agent{"Browser", "Browser", "Navegador", "Navigateur"},
    signers_zone{"Time zone of the signer", "Zeitzone der unterzeichnenden Person",
                 "Zona horaria de la persona firmante", "Fuseau horaire de la personne signataire"},
    of_form{"SHA-256 of the form", "SHA-256 des Formulars", "SHA-256 del formulario", "SHA-256 du formulaire"},
    of_data{"SHA-256 of what was signed", "SHA-256 des Unterzeichneten", "SHA-256 de lo firmado",
            "SHA-256 de ce qui a été signé"},
    revoked{"Withdrawn on", "Widerrufen am", "Revocado el", "Retiré le"},
    deleted{"Answers about health were deleted on", "Angaben zur Gesundheit wurden gelöscht am",
            "Las respuestas sobre la salud se borraron el", "Les réponses sur la santé ont été supprimées le"},
    erased{"The data of this person was deleted on", "Die Daten dieser Person wurden gelöscht am",
           "Los datos de esta persona se borraron el", "Les données de cette personne ont été supprimées le"};

Value pair(const char* label, std::string value) { return Value::array({label, std::move(value)}); }

Value block(const char* type, const char* member, std::string text) {
    return Value::object({{"type", type}, {member, std::move(text)}});
}

// The clock of the site with its zone, then the same in UTC.
std::string instant_text(Instant at, const Zone& zone) {
    return zone.date_at(at).text() + " " + zone.time_at(at).text() + " (" + zone.name() + "), " + at.text();
}

void add_text(Value& blocks, const Content& content) {
    if (!content.description.empty())
        blocks.push(block("paragraph", "text", content.description));
    for (const Value& each : content.blocks.items()) {
        if (const std::string title = each.text_or("title"); !title.empty())
            blocks.push(block("heading", "text", title));
        const std::string text = each.text_or("content");
        // Blank lines part paragraphs.
        for (std::size_t begin = 0; begin < text.size();) {
            const auto end = std::min(text.find("\n\n", begin), text.size());
            if (const std::string part = text.substr(begin, end - begin);
                part.find_first_not_of(" \n\t") != std::string::npos)
                blocks.push(block("paragraph", "text", part));
            begin = end + 2;
        }
    }
}

// The base cuts a cell that is longer or higher; a paragraph goes on on the next page.
bool fits_cell(const std::string& text) {
    constexpr std::size_t longest = 600;
    constexpr std::ptrdiff_t most_lines = 10;
    return text::length(text) <= longest && std::count(text.begin(), text.end(), '\n') < most_lines;
}

void add_answers(Value& blocks, const Copy& copy, bool with_health, std::size_t language) {
    const Value answers = answers_of(copy, with_health), asked = copy.content.asked();
    if (asked.size() == 0)
        return;
    blocks.push(block("heading", "text", words::answers.at(language)));
    Value rows = Value::array();
    const auto end_table = [&] {
        if (rows.size() > 0)
            blocks.push(Value::object({{"type", "table"}, {"rows", std::move(rows)}}));
        rows = Value::array();
    };
    for (const Value& field : asked.items()) {
        const std::string label = field.text_or("label");
        std::string text = answer_text(answers[field.text_or("id")], words::yes.at(language), words::no.at(language));
        if (fits_cell(text)) {
            rows.push(Value::array({label, text.empty() ? words::no_answer.at(language) : text}));
            continue;
        }
        end_table();
        blocks.push(Value::object({{"type", "paragraph"}, {"text", label}, {"style", "strong"}}));
        blocks.push(block("paragraph", "text", std::move(text)));
    }
    end_table();
}

void add_mark(Value& blocks, const std::string& mark, const char* label, int width) {
    if (mark.empty())
        return;
    blocks.push(Value::object({{"type", "paragraph"}, {"text", label}, {"style", "small"}}));
    if (is_data_url(mark))
        blocks.push(Value::object({{"type", "picture"}, {"png_base64", base64_of(mark)}, {"width_mm", width}}));
    else
        blocks.push(Value::object({{"type", "paragraph"}, {"text", mark}, {"style", "strong"}}));
}

Value signer_rows(const SignedConsent& row, std::size_t language, const Zone& zone) {
    Value rows = Value::array();
    rows.push(pair(words::signed_by.at(language), row.signer_name));
    rows.push(pair(words::guardian_of.at(language), row.minor_name.value_or("")));
    rows.push(pair(words::relation.at(language), row.guardian_relation.value_or("")));
    rows.push(pair(words::signed_at.at(language), instant_text(row.signed_at, zone)));
    return rows;
}

Value audit_rows(const SignedConsent& row, std::size_t language, const Zone& zone) {
    Value rows = Value::array();
    const auto add = [&](const Words& label, std::string value) {
        if (!value.empty())
            rows.push(pair(label.at(language), std::move(value)));
    };
    add(words::signed_by, row.signer_name);
    add(words::guardian_of, row.minor_name.value_or(""));
    add(words::relation, row.guardian_relation.value_or(""));
    add(email, row.signer_email);
    add(words::signed_at, instant_text(row.signed_at, zone));
    add(opened, row.opened_at ? instant_text(*row.opened_at, zone) : "");
    add(shown, row.shown_seconds ? std::to_string(*row.shown_seconds) + " " + seconds.at(language) : "");
    add(signers_zone, row.time_zone);
    add(address, row.ip_address);
    add(agent, row.user_agent);
    add(version, std::to_string(row.form_version));
    add(of_form, row.form_sha256);
    add(of_data, row.data_sha256);
    add(revoked, row.revoked_at ? instant_text(*row.revoked_at, zone) : "");
    add(deleted, row.health_deleted_at ? instant_text(*row.health_deleted_at, zone) : "");
    add(erased, row.erased_at ? instant_text(*row.erased_at, zone) : "");
    return rows;
}

}  // namespace

Value document_of(const Copy& copy, bool with_health, const Zone& zone, const Look& look) {
    const SignedConsent& row = copy.row;
    const std::size_t language = language_of(row.locale);
    Value blocks = Value::array(), facts = Value::array();
    facts.push(pair(words::trip.at(language), row.trip_title));
    facts.push(pair(words::travel_date.at(language), day_in(language, row.travel_date, look)));
    facts.push(pair(words::booking.at(language), row.booking_reference));
    facts.push(pair(words::traveler.at(language), row.traveler_name));
    // The head has room for some lines of it.
    constexpr std::size_t longest_in_head = 60;
    if (text::length(copy.content.title) > longest_in_head)
        blocks.push(block("heading", "text", copy.content.title));
    add_text(blocks, copy.content);
    add_answers(blocks, copy, with_health, language);
    blocks.push(block("heading", "text", words::signature.at(language)));
    blocks.push(Value::object({{"type", "facts"}, {"rows", signer_rows(row, language, zone)}}));
    add_mark(blocks, copy.marks.signature,
             row.signature_type == "typed" ? words::typed.at(language) : words::signature.at(language), signature_mm);
    add_mark(blocks, copy.marks.initials, words::initials.at(language), initials_mm);
    blocks.push(Value::object({{"type", "page_break"}}));
    blocks.push(block("heading", "text", audit.at(language)));
    blocks.push(block("paragraph", "text", agreed.at(language)));
    blocks.push(Value::object({{"type", "facts"}, {"rows", audit_rows(row, language, zone)}}));
    return Value::object(
        {{"title", copy.content.title},
         {"language", languages.at(language)},
         {"made_at", row.signed_at.micros()},
         {"head",
          Value::object({{"kind", kind.at(language)}, {"number", copy.content.title}, {"facts", std::move(facts)}})},
         {"blocks", std::move(blocks)}});
}

const char* unreadable_picture(const Error& error, const Value& document, const Marks& marks) {
    constexpr std::string_view place = "blocks.";
    for (const FieldError& each : error.fields()) {
        std::size_t at = 0;
        const bool is_block =
            each.field.starts_with(place) &&
            std::from_chars(each.field.data() + place.size(), each.field.data() + each.field.size(), at).ec ==
                std::errc{};
        const Value& blocks = document["blocks"];
        if (is_block && at < blocks.size() && blocks[at].text_or("type") == "picture")
            return blocks[at].text_or("png_base64") == base64_of(marks.signature) ? "signature_data" : "initials_data";
    }
    return nullptr;
}

std::string file_name_of(const SignedConsent& row) {
    return "Consent-" + row.booking_reference + "-" + std::to_string(row.traveler_index) + ".pdf";
}

}  // namespace svc::pro::consent
