// Replaces a name in a trip's JSON and among its words. Leaves unexpected cases to be read from the database.
#include "base/catalog/trips/record/renamed.hpp"

#include <algorithm>
#include <optional>

#include "shared/core/ascii.hpp"
#include "shared/core/words.hpp"

namespace svc::catalog::trips {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_words = 3'000;  // below the limit of words_of, so that no word was left out

bool has(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Words words_in(std::string_view part) {
    Words words;
    each_part_word(part, [&](std::string_view word) { words.emplace_back(word); });
    return words;
}

// Adds the distinct words of a text that occur in none of the others.
void add_new(std::string_view text, std::initializer_list<const Words*> others, Words& to) {
    text::each_word(text, [&](std::string_view word) {
        if (!has(to, word) && std::none_of(others.begin(), others.end(), [&](auto* each) { return has(*each, word); }))
            to.emplace_back(word);
        return true;
    });
}

std::string join_words(const Words& words) {
    std::string all;
    for (const std::string& word : words)
        (all += all.empty() ? "" : " ") += word;
    return all;
}

// The end of a JSON string or object that begins there; npos where it does not end.
std::size_t end_of(std::string_view json, std::size_t from) {
    bool in_text = false;
    int depth = 0;
    for (std::size_t at = from; at < json.size(); ++at) {
        const char c = json[at];
        if (in_text && c == '\\')
            ++at;
        else if (c == '"')
            in_text = !in_text;
        else if (!in_text && c == '{')
            ++depth;
        else if (!in_text && c == '}')
            --depth;
        if (!in_text && depth == 0)
            return at + 1;
    }
    return std::string_view::npos;
}

bool is_wordy(char c) {
    return static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}
// Whether the text could fold to the word: letters beyond ASCII may fold to any letters.
bool may_fold_to(std::string_view written, std::string_view word) {
    std::size_t at = 0;
    bool gap = false;
    for (const char c : written) {
        if (static_cast<unsigned char>(c) >= 0x80) {
            gap = true;
            continue;
        }
        const auto found =
            gap ? word.find(ascii::lower(c), at) : (at < word.size() && word[at] == ascii::lower(c) ? at : word.npos);
        if (found == word.npos)
            return false;
        at = found + 1;
        gap = false;
    }
    return gap || at == word.size();
}

bool may_occur(std::string_view text, const Words& words) {
    for (std::size_t at = 0; at < text.size();) {
        if (!is_wordy(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && is_wordy(text[end]))
            ++end;
        const std::string_view written = text.substr(at, end - at);
        // An escaped letter ("\n") before a word is not part of it.
        const std::string_view escaped = at > 0 && text[at - 1] == '\\' ? written.substr(1) : written;
        for (const std::string& word : words)
            if (may_fold_to(written, word) || may_fold_to(escaped, word))
                return true;
        at = end;
    }
    return false;
}

// The trip's JSON with the new names, and the texts around the old one.
struct Rewritten {
    std::string text;
    std::size_t row_bytes;
    std::vector<std::string_view> around;
};
std::optional<Rewritten> rewritten(const ShownTrip& trip, const Renames& renames) {
    const std::string& old = *trip.body.text;
    const std::size_t row_end = envelope.size() + trip.row_bytes;
    std::vector<std::pair<std::size_t, const ClassName*>> places;
    for (const ClassKey& key : trip.facts.classes) {
        const auto to = renames.to.find(key.id);
        if (to == renames.to.end())
            continue;
        const std::string begin = R"({"id":)" + std::to_string(key.id) + R"(,"name":")";
        for (auto at = old.find(begin); at != std::string::npos; at = old.find(begin, at + 1))
            places.emplace_back(at, &to->second);
    }
    std::sort(places.begin(), places.end());
    Rewritten result{{}, trip.row_bytes, {}};
    result.text.reserve(old.size() + 64 * places.size());
    std::size_t done = 0;
    for (const auto& [at, name] : places) {
        const std::size_t end = end_of(old, at);
        if (end == std::string::npos || at < done)
            return std::nullopt;
        auto link = json::parse(std::string_view(old).substr(at, end - at));
        if (!link || !link->find("slug") || !link->find("status"))
            return std::nullopt;
        link->set("name", name->name).set("slug", name->slug);
        const std::string fresh = link->dump();
        result.around.push_back(std::string_view(old).substr(done, at - done));
        result.text.append(old, done, at - done) += fresh;
        if (end <= row_end)
            result.row_bytes += fresh.size() - (end - at);  // wraps round where it is shorter, and back again
        done = end;
    }
    result.around.push_back(std::string_view(old).substr(done));
    result.text.append(old, done);
    return result;
}

// The trip's own summary as answered.
std::optional<std::string> summary_of(const ShownTrip& trip) {
    constexpr std::string_view member = R"(,"summary":")";
    const std::string_view text = *trip.body.text;
    const auto at = text.find(member);
    if (at == text.npos)
        return std::nullopt;
    const std::size_t from = at + member.size() - 1, end = end_of(text, from);
    const auto summary =
        end == text.npos ? Result<json::Value>(errc::invalid_json) : json::parse(text.substr(from, end - from));
    return summary && summary->is_string() ? std::optional(summary->text()) : std::nullopt;
}

std::optional<SearchWords> words_after(const ShownTrip& trip, const std::vector<std::string_view>& around,
                                       const ClassNames& before, const ClassNames& after) {
    const auto summary = summary_of(trip);
    if (!summary)
        return std::nullopt;
    const Words title = words_in(trip.words.title), more = words_in(trip.words.more);
    Words own, left, come;
    add_new(*summary, {&title}, own);
    for (const ClassKey& key : trip.facts.classes) {
        const auto was = before.find(key), is = after.find(key);
        if (was == before.end() || is == after.end())
            return std::nullopt;
        add_new(was->second.name, {&title, &own}, left);
        add_new(is->second.name, {&title, &own}, come);
    }
    // Expects the indexed words in the order of their assembly: summary, classifications, others.
    Words expected = own;
    expected.insert(expected.end(), left.begin(), left.end());
    if (more.size() < expected.size() || !std::equal(expected.begin(), expected.end(), more.begin()))
        return std::nullopt;
    Words removed, fresh;
    std::copy_if(left.begin(), left.end(), std::back_inserter(removed), [&](auto& word) { return !has(come, word); });
    std::copy_if(come.begin(), come.end(), std::back_inserter(fresh), [&](auto& word) { return !has(left, word); });
    // Words of lesser parts that were left out because of the old name may have to return.
    if (!removed.empty() &&
        std::any_of(around.begin(), around.end(), [&](auto text) { return may_occur(text, removed); }))
        return std::nullopt;
    SearchWords words = trip.words;
    Words now = std::move(own);
    now.insert(now.end(), come.begin(), come.end());
    for (std::size_t i = expected.size(); i < more.size(); ++i)
        if (!has(fresh, more[i]))
            now.push_back(more[i]);
    words.more = join_words(now);
    if (!fresh.empty()) {
        Words body = words_in(trip.words.body);
        if (title.size() + now.size() + body.size() > most_words)
            return std::nullopt;
        std::erase_if(body, [&](const std::string& word) { return has(fresh, word); });
        words.body = join_words(body);
    }
    return words;
}

}  // namespace

Renames renames_between(const ClassRows& before, const ClassRows& now) {
    Renames renames{.names_alone = true, .to = {}};
    auto old = before.begin();
    for (const ClassRow& row : now) {
        for (; old != before.end() && old->id < row.id; ++old)
            renames.names_alone = false;  // it was deleted
        if (old == before.end() || old->id != row.id)
            continue;  // no cached trip has it yet, or that trip was written
        const ClassRow& was = *old++;
        if (was.row_version == row.row_version)
            continue;
        const bool known = row.type == "destination" || row.type == "activity" || row.type == "trip_category";
        renames.names_alone = renames.names_alone && known && was.rest == row.rest;
        renames.to[row.id] = {row.name, row.slug};
    }
    renames.names_alone = renames.names_alone && old == before.end() && !renames.to.empty();
    return renames;
}

ClassNames with_renames(ClassNames names, const Renames& renames) {
    for (auto& [key, name] : names)
        if (const auto to = renames.to.find(key.id); to != renames.to.end())
            name = to->second;
    return names;
}

Draft renamed(const ShownTrip& trip, const Renames& renames, const ClassNames& before, const ClassNames& after) {
    auto text = trip.card ? std::nullopt : rewritten(trip, renames);
    auto words = text ? words_after(trip, text->around, before, after) : std::nullopt;
    if (!words)
        return nullptr;
    auto draft = std::make_shared<ShownTrip>(trip);
    draft->words = std::move(*words);
    draft->row_bytes = text->row_bytes;
    draft->body = body_of(std::move(text->text));
    return draft;
}

}  // namespace svc::catalog::trips
