// Parses HTML with gumbo: its memory comes from an arena, and parsing ends when that is full.
#include "base/platform/html/tree.hpp"

#include <algorithm>
#include <csetjmp>

#include "shared/core/text.hpp"

namespace svc::html {
namespace {

constexpr std::size_t most_memory = std::size_t{48} << 20;
constexpr std::size_t block_units = (std::size_t{256} << 10) / sizeof(std::max_align_t);
// Open elements are walked for each tag, so that many tags cost their square.
constexpr std::ptrdiff_t most_tags = 10'000;

// Each attribute of a tag is compared with those before it. A node is allocated when its tag has ended.
constexpr int most_between_nodes = 20'000;

// gumbo has no way to fail: reading is left by a jump over its frames, which own nothing but the arena's memory.
struct Reading {
    Arena* arena;
    std::jmp_buf out;
    int since_node = 0;
};

void* take(void* reading, std::size_t size) {
    auto* self = static_cast<Reading*>(reading);
    self->since_node = size == sizeof(GumboNode) ? 0 : self->since_node + 1;
    if (void* memory = self->since_node > most_between_nodes ? nullptr : self->arena->take(size))
        return memory;
    std::longjmp(self->out, 1);  // NOLINT(*-err52-cpp)
}

void keep(void*, void*) {}

// Apart, so that nothing with a destructor lives where the jump lands.
const GumboNode* read(Reading& reading, const char* text, std::size_t size) {
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = take;
    options.deallocator = keep;
    options.userdata = &reading;
    options.max_errors = 0;
    options.fragment_context = GUMBO_TAG_DIV;
    if (setjmp(reading.out) != 0)  // NOLINT(*-err52-cpp)
        return nullptr;
    return gumbo_parse_with_options(&options, text, size)->root;
}

// Controls above ASCII and what Unicode calls no character.
bool is_unreadable(std::string_view code_point) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(code_point[at]); };
    switch (code_point.size()) {
        case 2:
            return byte(0) == 0xc2 && byte(1) < 0xa0;
        case 3:
            return byte(0) == 0xef &&
                   (byte(1) == 0xb7 ? byte(2) >= 0x90 && byte(2) < 0xb0 : byte(1) == 0xbf && byte(2) >= 0xbe);
        case 4:
            return (byte(1) & 0x0fU) == 0x0f && byte(2) == 0xbf && byte(3) >= 0xbe;
        default:
            return false;
    }
}

}  // namespace

void* Arena::take(std::size_t size) {
    const std::size_t units =
        std::max<std::size_t>(1, (size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    if (units > room_ - used_) {
        const std::size_t block = std::max(units, block_units);
        if (block > (most_ - taken_) / sizeof(std::max_align_t))
            return nullptr;
        blocks_.push_back(std::make_unique_for_overwrite<std::max_align_t[]>(block));
        taken_ += block * sizeof(std::max_align_t);
        used_ = 0;
        room_ = block;
    }
    void* memory = blocks_.back().get() + used_;
    used_ += units;
    return memory;
}

std::string readable(std::string_view given, std::size_t most) {
    std::string_view text = given.substr(0, most);
    if (text.size() < given.size())
        while (!text.empty() && (static_cast<unsigned char>(given[text.size()]) & 0xc0U) == 0x80U)
            text.remove_suffix(1);
    const std::string whole = text::made_utf8(text);
    std::string out;
    for (std::string_view rest = whole, next; !rest.empty(); rest.remove_prefix(next.size())) {
        next = text::first(rest, 1);
        out += is_unreadable(next) ? "\ufffd" : next;
    }
    return out;
}

Tree::Tree(std::string_view text) : arena_(most_memory) {
    if (std::count(text.begin(), text.end(), '<') > most_tags)
        return;
    Reading reading{.arena = &arena_, .out = {}};
    root_ = read(reading, text.data(), text.size());
}

}  // namespace svc::html
