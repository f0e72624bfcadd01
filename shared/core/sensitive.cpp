// By the beginnings of words, so that an operator's own fields are covered.
#include "shared/core/sensitive.hpp"

#include <algorithm>
#include <array>

namespace svc {
namespace {

// Beginnings of words: `medic` is medical, medication and medicine.
constexpr std::array<std::string_view, 22> health = {"medic",   "health", "allerg",   "disab",   "illness", "disease",
                                                     "diagnos", "blood",  "pregnan",  "asthma",  "diabet",  "epilep",
                                                     "vaccin",  "injur",  "mobility", "surger",  "therap",  "drug",
                                                     "prescri", "mental", "heart",    "handicap"};
constexpr std::array<std::string_view, 8> papers = {"passport", "visa",     "insur", "identi",
                                                    "ssn",      "national", "iban",  "licen"};

bool begins(std::string_view word, const auto& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return word.starts_with(beginning); });
}

}  // namespace

bool is_sensitive(std::string_view field_id) {
    if (field_id == "special_needs")
        return true;
    while (!field_id.empty()) {
        const auto end = field_id.find('_');
        const std::string_view word = field_id.substr(0, end);
        // A nationality is not a document, a national id is one.
        if (word == "id" || (word != "nationality" && (begins(word, health) || begins(word, papers))))
            return true;
        field_id = end == std::string_view::npos ? std::string_view() : field_id.substr(end + 1);
    }
    return false;
}

}  // namespace svc
