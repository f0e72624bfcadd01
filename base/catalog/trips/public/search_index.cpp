// A sorted dictionary with the trips of each word; a change copies the lists of the words it changes and no others.
#include "base/catalog/trips/public/search_index.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace svc::catalog::trips {
namespace {

enum WordPart : std::uint32_t { title, more, body };
constexpr std::uint32_t part_bits = 2;

constexpr std::string SearchWords::*parts[] = {&SearchWords::title, &SearchWords::more, &SearchWords::body};

template <class Take>
void each_word_of(const SearchWords& words, Take take) {
    each_part_word(words.title, [&](std::string_view word) { take(word, title); });
    each_part_word(words.more, [&](std::string_view word) { take(word, more); });
    each_part_word(words.body, [&](std::string_view word) { take(word, body); });
}

// The sorted words of a part; empty without words.
std::vector<std::string_view> sorted_words(const SearchWords* words, std::string SearchWords::*part) {
    std::vector<std::string_view> all;
    if (words)
        each_part_word(words->*part, [&](std::string_view word) { all.push_back(word); });
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

SearchIndex::SearchIndex(std::span<const Change> first) {
    std::unordered_map<std::string_view, std::vector<Posting>> lists;
    for (const Change& each : first)
        each_word_of(*each.after, [&](std::string_view word, WordPart part) {
            lists[word].push_back(each.slot << part_bits | part);
        });
    std::vector<Term> terms;
    terms.reserve(lists.size());
    for (auto& [word, postings] : lists) {
        std::sort(postings.begin(), postings.end());
        terms.push_back({std::string(word), std::make_shared<const std::vector<Posting>>(postings)});  // fits exactly
    }
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.word < b.word; });
    terms_ = Chunks<Term, 128>(std::move(terms));
}

SearchIndex SearchIndex::with(std::span<const Change> changes) const {
    struct Edit {
        std::string_view word;
        Posting posting;
        bool added;
    };
    std::vector<Edit> edits;
    std::vector<std::string_view> only;
    for (const Change& each : changes)
        for (std::uint32_t part = title; part <= body; ++part) {
            const auto member = parts[part];
            if (each.before && each.after && each.before->*member == each.after->*member)
                continue;  // most changes leave most parts alone
            const auto before = sorted_words(each.before, member), after = sorted_words(each.after, member);
            const Posting posting = each.slot << part_bits | part;
            only.clear();
            std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(only));
            for (const std::string_view word : only)
                edits.push_back({word, posting, false});
            only.clear();
            std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(only));
            for (const std::string_view word : only)
                edits.push_back({word, posting, true});
        }
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
        return std::tie(a.word, a.posting, a.added) < std::tie(b.word, b.posting, b.added);
    });

    SearchIndex next;
    next.terms_ = terms_.fork();
    for (auto edit = edits.begin(); edit != edits.end();) {
        const std::string_view word = edit->word;
        const auto below = [word](const Term& term) { return term.word < word; };
        const Term* known = next.terms_.find(below);
        if (known && known->word != word)
            known = nullptr;
        std::vector<Posting> postings = known ? *known->postings : std::vector<Posting>{};
        for (; edit != edits.end() && edit->word == word; ++edit) {
            const auto at = std::lower_bound(postings.begin(), postings.end(), edit->posting);
            if (edit->added)
                postings.insert(at, edit->posting);
            else
                postings.erase(at);
        }
        auto list = std::make_shared<const std::vector<Posting>>(postings);
        if (!known)
            next.terms_.insert(below, {std::string(word), std::move(list)});
        else if (list->empty())
            next.terms_.erase(below);
        else
            next.terms_.change(below).postings = std::move(list);
    }
    return next;
}

std::vector<std::uint16_t> SearchIndex::find(const SearchQuery& query, std::size_t slots) const {
    std::vector<std::uint16_t> scores(slots, 0);
    std::vector<std::uint8_t> best(slots);
    bool first = true;
    for (const std::string& word : query) {
        std::fill(best.begin(), best.end(), std::uint8_t{0});
        terms_.from([&](const Term& term) { return term.word < word; },
                    [&](const Term& term) {
                        if (!std::string_view(term.word).starts_with(word))
                            return false;
                        const unsigned whole = term.word.size() == word.size() ? 1U : 0U;
                        for (const Posting each : *term.postings) {
                            const auto part = each & ((1U << part_bits) - 1U);
                            auto& known = best[each >> part_bits];
                            known = std::max(known, static_cast<std::uint8_t>(5U - 2U * part + whole));
                        }
                        return true;
                    });
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const unsigned now = best[slot], before = first ? now << 8U : scores[slot];
            const unsigned worst = std::min(before >> 8U, now);
            scores[slot] = static_cast<std::uint16_t>(worst == 0 ? 0 : (worst << 8U) | ((before & 0xFFU) + now));
        }
        first = false;
    }
    return scores;
}

}  // namespace svc::catalog::trips
