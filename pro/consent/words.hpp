// The sentences of e-mails and documents of consent forms in the languages of Pro.
#pragma once

#include <array>

#include "pro/common/day_words.hpp"
#include "shared/mails/offered.hpp"

namespace svc::pro::consent {

using Words = std::array<const char*, languages.size()>;  // in the order of `languages`

template <class Make>
mails::LanguageText in_each(Make make) {
    mails::LanguageText text;
    for (std::size_t i = 0; i < languages.size(); ++i)
        text.emplace(languages.at(i), make(i));
    return text;
}
inline mails::LanguageText in_all_languages(const Words& words) {
    return in_each([&](std::size_t i) { return std::string(words.at(i)); });
}

namespace words {
inline constexpr Words yes{"Yes", "Ja", "Sí", "Oui"}, no{"No", "Nein", "No", "Non"},
    guest{"traveler", "Reisende", "viajero", "voyageur"},
    traveler{"Traveler", "Reisende Person", "Viajero", "Voyageur"}, trip{"Trip", "Reise", "Viaje", "Voyage"},
    booking{"Booking", "Buchung", "Reserva", "Réservation"},
    travel_date{"Travel date", "Reisedatum", "Fecha del viaje", "Date du voyage"},
    signed_by{"Signed by", "Unterzeichnet von", "Firmado por", "Signé par"},
    signature{"Signature", "Unterschrift", "Firma", "Signature"},
    initials{"Initials", "Initialen", "Iniciales", "Initiales"},
    typed{"Typed signature", "Getippte Unterschrift", "Firma escrita", "Signature saisie"},
    answers{"Answers", "Antworten", "Respuestas", "Réponses"},
    no_answer{"No answer", "Keine Angabe", "Sin respuesta", "Sans réponse"},
    guardian_of{"Guardian of", "Erziehungsberechtigt für", "Tutor de", "Responsable légal de"},
    relation{"Relation", "Verhältnis", "Relación", "Lien"},
    signed_at{"Signed at", "Unterzeichnet am", "Firmado el", "Signé le"},
    health_left_out{"Answers about health are not part of this e-mail. They are on the page of the link.",
                    "Angaben zur Gesundheit stehen nicht in dieser E-Mail. Sie finden sie auf der Seite des Links.",
                    "Las respuestas sobre la salud no figuran en este correo. Están en la página del enlace.",
                    "Les réponses sur la santé ne figurent pas dans cet e-mail. Elles sont sur la page du lien."};
}  // namespace words

}  // namespace svc::pro::consent
