// A table of headings, folded as searches are.
#include "base/data/import_export/csv_headings.hpp"

#include <algorithm>

#include "shared/core/text.hpp"
#include "shared/core/words.hpp"

namespace svc::import_export {
namespace {

// Fields in the order of preference (a kind has one of them), and the headings, as they are written.
struct Headings {
    const char *fields, *names;
    const char* beside = nullptr;  // a field that the kind must have, too: the title of a person is not a name
};
constexpr Headings usual_headings[] = {
    {"email contact_email",
     "E-mail|Mail|Email address|E-mail address|E-Mail-Adresse|Emailadresse|Correo|Correo electrónico|Courriel|Adresse"
     " e-mail|Adresse mail|Mél"},
    {"first_name contact_first_name", "Forename|Given name|Firstname|Vorname|Rufname|Nombre|Nombre de pila|Prénom"},
    {"last_name contact_last_name",
     "Surname|Family name|Lastname|Nachname|Familienname|Zuname|Apellido|Apellidos|Nom|Nom de famille"},
    {"phone contact_phone",
     "Telephone|Tel|Phone number|Telephone number|Mobile|Mobile phone|Cell|Cell phone|Telefon|Telefonnummer|Mobil|"
     "Mobiltelefon|Handy|Handynummer|Teléfono|Móvil|Téléphone|Numéro de téléphone|Portable"},
    {"secondary_phone", "Second phone|Other phone|Phone 2|Telefon 2|Zweite Telefonnummer|Teléfono 2|Téléphone 2"},
    {"address contact_address",
     "Street|Street address|Address line 1|Address 1|Adresse|Anschrift|Straße|Straße und "
     "Hausnummer|Dirección|Calle|Rue"},
    {"city contact_city", "Town|Place|Ort|Stadt|Wohnort|Ciudad|Población|Localidad|Ville|Commune"},
    {"postal_code contact_postal_code contact_zip",
     "ZIP|ZIP code|Postcode|Post code|PLZ|Postleitzahl|Código postal|CP|Code postal"},
    {"state contact_state", "Province|Region|County|Bundesland|Provinz|Kanton|Provincia|Estado|Région|Département"},
    {"country contact_country", "Country code|Country of residence|Land|Staat|País|Pays"},
    {"date_of_birth",
     "Birthday|Birth date|Birthdate|DOB|Geburtsdatum|Geburtstag|Geb. Datum|Fecha de nacimiento|Nacimiento|Date de"
     " naissance"},
    {"gender", "Sex|Geschlecht|Sexo|Género|Sexe|Genre"},
    {"nationality", "Citizenship|Nationalität|Staatsangehörigkeit|Nacionalidad|Nationalité"},
    {"preferred_language", "Language|Sprache|Idioma|Langue"},
    {"notes",
     "Note|Comment|Comments|Remarks|Notiz|Notizen|Bemerkung|Bemerkungen|Anmerkung|Anmerkungen|Notas|"
     "Observaciones|Comentarios|Remarque|Remarques|Commentaire"},
    {"dietary_requirements", "Diet|Ernährung|Dieta|Régime"},
    {"emergency_name", "Emergency contact|Notfallkontakt|Contacto de emergencia|Contact d'urgence"},
    {"title",
     "Name|Trip|Trip name|Trip title|Tour|Tour name|Titel|Reise|Bezeichnung|Reisename|Título|Nombre|Viaje|"
     "Titre|Nom|Voyage",
     "slug"},
    {"trip_slug", "Trip|Tour|Trip code|Reise|Viaje|Voyage"},
    {"start_date",
     "Date|Start|Start date|Departure|Day|Datum|Beginn|Anreise|Abreise|Startdatum|Termin|Fecha|Fecha de"
     " inicio|Fecha de salida|Salida|Inicio|Date de départ|Date de début|Départ|Début"},
    {"end_date",
     "End|End date|Return|Ende|Enddatum|Rückreise|Rückkehr|Fin|Fecha de fin|Regreso|Date de fin|Retour|"
     "Date de retour"},
    {"time departure_time", "Start time|Uhrzeit|Zeit|Startzeit|Abfahrt|Hora|Hora de salida|Heure|Heure de départ"},
    {"seats", "Places|Capacity|Plätze|Kapazität|Sitzplätze|Plazas|Asientos|Capacidad|Places disponibles|Capacité"},
    {"price regular_price",
     "Price|Price per person|Regular price|Preis|Preis pro Person|Grundpreis|Precio|Precio por persona|Prix|Prix par"
     " personne|Tarif"},
    {"sale_price discounted_price",
     "Offer|Special price|Discount price|Angebotspreis|Sonderpreis|Aktionspreis|Precio rebajado|Precio de oferta|Prix"
     " promotionnel|Prix réduit"},
    {"duration", "Days|Duration in days|Length|Dauer|Tage|Dauer in Tagen|Duración|Días|Durée|Jours"},
    {"description", "Text|Beschreibung|Descripción"},
    {"short_description", "Summary|Kurzbeschreibung|Zusammenfassung|Resumen|Résumé|Descripción corta"},
    {"max_travelers", "Group size|Maximum travelers|Gruppengröße|Teilnehmer|Tamaño del grupo|Taille du groupe"},
    {"reference booking_reference",
     "Booking|Booking number|Booking code|Buchung|Buchungsnummer|Buchungscode|Reserva|Número de reserva|Localizador|"
     "Réservation|Numéro de réservation"},
};

std::string plain_name(std::string_view name) {
    std::string plain = text::search_key(text::clean(name));
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return c == ' ' || c == '-' || c == '.' || c == '\''; }, '_');
    plain.erase(std::unique(plain.begin(), plain.end(), [](char a, char b) { return a == '_' && b == '_'; }),
                plain.end());
    while (!plain.empty() && (plain.back() == '_' || plain.back() == '*' || plain.back() == ':'))
        plain.pop_back();
    return plain;
}

// Calls `take` for each part of a list until it returns true.
template <class Take>
bool any_part(std::string_view list, char separator, const Take& take) {
    for (;;) {
        const auto end = list.find(separator);
        if (take(list.substr(0, end)))
            return true;
        if (end == std::string_view::npos)
            return false;
        list.remove_prefix(end + 1);
    }
}

const api::Field* field_named(const api::Schema& fields, std::string_view name) {
    for (const api::Field& field : fields.fields())
        if (field.name == name)
            return &field;
    return nullptr;
}

}  // namespace

const api::Field* field_like(const api::Schema& fields, const std::string& heading) {
    const std::string wanted = plain_name(heading);
    for (const api::Field& field : fields.fields())
        if (plain_name(field.name) == wanted)
            return &field;
    for (const api::Field& field : fields.fields())
        if (std::any_of(field.also.begin(), field.also.end(),
                        [&](const std::string& also) { return plain_name(also) == wanted; }))
            return &field;
    for (const Headings& usual : usual_headings) {
        if (usual.beside && !field_named(fields, usual.beside))
            continue;
        const api::Field* field = nullptr;
        any_part(usual.fields, ' ',
                 [&](std::string_view name) { return (field = field_named(fields, name)) != nullptr; });
        if (field && any_part(usual.names, '|', [&](std::string_view name) { return plain_name(name) == wanted; }))
            return field;
    }
    return nullptr;
}

}  // namespace svc::import_export
