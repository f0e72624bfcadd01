// The names of months.
#include "pro/common/day_words.hpp"

namespace svc::pro {
namespace {

constexpr std::array<std::array<const char*, 12>, 4> months{
    {{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December"},
     {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
      "Dezember"},
     {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
      "diciembre"},
     {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
      "décembre"}}};

}  // namespace

std::size_t language_of(std::string_view locale) {
    for (std::size_t i = 0; i < languages.size(); ++i)
        if (locale.starts_with(languages.at(i)))
            return i;
    return 0;
}

std::string day_in(std::size_t language, Date day, const Look& look) {
    if (!look.date_format.empty())
        return look.day(day);
    const std::string number = std::to_string(day.day()), month = months.at(language).at(day.month() - 1),
                      year = std::to_string(day.year());
    return language == 1   ? number + ". " + month + " " + year
           : language == 2 ? number + " de " + month + " de " + year
                           : number + " " + month + " " + year;
}

}  // namespace svc::pro
