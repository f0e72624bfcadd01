// Remembers rendered texts, and makes data once.
#include "base/platform/templates/later.hpp"

#include <algorithm>

namespace svc::templates {
namespace {

std::size_t size_of(const Renderings::Rendering& rendering) {
    std::size_t size = sizeof rendering + rendering.text.capacity() + rendering.locale.capacity() + 64;
    for (const auto& each : rendering.outside) {
        size += sizeof each + each.meaning.capacity();
        for (const std::string& name : each.names)
            size += sizeof name + name.capacity();
    }
    return size;
}

char mark_of(const json::Value& value) {
    constexpr char marks[] = {'0', 'b', 'n', 't', 'a', 'o'};
    return marks[static_cast<std::size_t>(value.kind())];
}

}  // namespace

Renderings::~Renderings() {
    for (const auto& each : all_)
        *total_ -= size_of(*each);
}

void Renderings::add(Rendering rendering) {
    if (size_of(rendering) > most_bytes)
        return;
    auto added = std::make_shared<const Rendering>(std::move(rendering));
    const std::lock_guard lock(mutex_);
    if (all_.size() >= most) {
        *total_ -= size_of(*all_.front());
        all_.erase(all_.begin());
    }
    *total_ += size_of(*added);
    all_.push_back(std::move(added));
}

const json::Value& Later::item(std::size_t index) const {
    auto& made = made_.at(index);
    if (!made)
        made = make_(index);
    return *made;
}

bool Later::has_member(std::string_view name) const {
    return std::find(members_.begin(), members_.end(), name) != members_.end();
}

std::string sameness(const json::Value* value) {
    if (!value)
        return {};
    std::string text(1, mark_of(*value));
    if (value->is_string())
        text += value->text();
    else if (value->is_number())
        text += value->number_text();
    else
        value->dump_to(text);
    return text;
}

bool is_same(const json::Value* value, std::string_view text) {
    if (!value || text.empty())
        return !value && text.empty();
    if (text.front() != mark_of(*value))
        return false;
    const auto rest = text.substr(1);
    return value->is_string()   ? value->text() == rest
           : value->is_number() ? value->number_text() == rest
                                : sameness(value) == text;
}

}  // namespace svc::templates
