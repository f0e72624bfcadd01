// Rendering: a template is a list of steps, run over the data as it is.
#include "base/platform/templates/template.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/platform/html/html.hpp"
#include "base/platform/templates/steps.hpp"
#include "base/platform/templates/tag_lines.hpp"

namespace svc::templates {
namespace {

struct TooMuch {};

bool is_nothing(const json::Value& value) {
    switch (value.kind()) {
        case json::Kind::null:
            return true;
        case json::Kind::boolean:
            return !value.boolean();
        case json::Kind::string:
            return value.text().empty();
        case json::Kind::array:
            return value.size() == 0;
        case json::Kind::number:
        case json::Kind::object:
            return false;
    }
    return true;
}

// Texts and numbers are shown; the rest only decides what is.
std::string_view value_text(const json::Value& value) {
    return value.is_string()   ? std::string_view(value.text())
           : value.is_number() ? std::string_view(value.number_text())
                               : std::string_view();
}

// Runs the steps; looks names up from the innermost item outwards.
class Rendering {
  public:
    Rendering(const std::vector<Step>& steps, const Reading& reading, std::size_t cost_of_round,
              std::string_view locale, const json::Value& root, std::span<const Later> later)
        : steps_(steps), reading_(reading), locale_(locale), cost_of_round_(cost_of_round), items_{&root} {
        for (const Later& each : later)
            if (const json::Value* place = root.find(each.name()))
                later_.push_back({place, &each});
    }

    std::string rendered(std::size_t expected_size) {
        out_.reserve(expected_size);
        run(0, steps_.size());
        end_line({});
        return std::move(out_);
    }

  private:
    void run(std::size_t from, std::size_t to) {
        for (std::size_t at = from; at < to;) {
            const Step& step = steps_[at];
            ++at;
            switch (step.does) {
                case Does::text:
                    put(step.text);
                    break;
                case Does::line_end:
                    end_line(std::string_view(step.text).substr(0, step.break_size));
                    put(std::string_view(step.text).substr(step.break_size));
                    line_ = out_.size();
                    break;
                case Does::value:
                case Does::raw_value:
                    if (const json::Value* found = take_value(step.names))
                        put_value(value_text(*found), step.does == Does::value);
                    break;
                case Does::say:
                    say(step.text);
                    break;
                case Does::section:
                    if (const json::Value* found = take_value(step.names); found && !is_nothing(*found)) {
                        if (const Later* later = later_at(found))
                            section_of(*later, step, at);
                        else
                            section(*found, at, step.after);
                    }
                    at = step.after;
                    break;
                case Does::inverted:
                    if (const json::Value* found = take_value(step.names); !found || is_nothing(*found))
                        round(found, at, step.after);
                    at = step.after;
                    break;
            }
        }
    }

    void section(const json::Value& value, std::size_t from, std::size_t to) {
        if (value.is_array())
            for (const json::Value& item : value.items())
                round(&item, from, to);
        else
            round(&value, from, to);
    }

    void round(const json::Value* item, std::size_t from, std::size_t to) {
        take(cost_of_round_);
        line_has_section_ = true;
        if (item)
            items_.push_back(item);
        run(from, to);
        if (item)
            items_.pop_back();
        line_has_section_ = true;
    }

    // Each item, or the one value, as it was rendered before, else anew.
    void section_of(const Later& later, const Step& step, std::size_t from) {
        for (std::size_t index = 0; index < later.size(); ++index) {
            const json::Value* place = later.place_of(index);
            if (place)
                items_.push_back(place);
            // Within another one that is being recorded it is a part of that.
            Renderings* const remembered = recording_ ? nullptr : later.remembered(index);
            const bool begins_line = line_ == out_.size(),
                       is_blank = !begins_line && out_.find_first_not_of(" \t", line_) == std::string::npos;
            if (!remembered || is_blank) {
                if (recording_)
                    recording_->is_complete = false;
                render_item(later, index, from, step.after);
            } else if (const auto known = remembered->find(step.section, [&](const Renderings::Rendering& each) {
                           return each.begins_line == begins_line && each.locale == locale_ && holds(each.outside);
                       }))
                replay(*known);
            else
                record(*remembered, later, index, step, from, begins_line);
            if (place)
                items_.pop_back();
        }
    }

    void render_item(const Later& later, std::size_t index, std::size_t from, std::size_t to) {
        if (later.is_list())
            round(&later.item(index), from, to);
        else
            section(later.item(index), from, to);
    }

    void replay(const Renderings::Rendering& known) {
        take(known.steps);
        const std::size_t begin = out_.size();
        put(known.text);
        if (known.last_line)
            line_ = begin + *known.last_line;
        line_has_section_ = true;
    }

    void record(Renderings& remembered, const Later& later, std::size_t index, const Step& step, std::size_t from,
                bool begins_line) {
        Recording recording{.items = items_.size()};
        recording_ = &recording;
        const std::size_t begin = out_.size(), line = line_, steps = steps_taken_;
        render_item(later, index, from, step.after);
        recording_ = nullptr;
        if (!recording.is_complete)
            return;
        remembered.add({.section = step.section,
                        .locale = std::string(locale_),
                        .begins_line = begins_line,
                        .outside = std::move(recording.outside),
                        .text = out_.substr(begin),
                        .last_line = begins_line || line_ != line ? std::optional(line_ - begin) : std::nullopt,
                        .steps = steps_taken_ - steps});
    }

    [[nodiscard]] bool holds(const std::vector<Renderings::Outside>& outside) const {
        return std::all_of(outside.begin(), outside.end(), [this](const Renderings::Outside& each) {
            return is_same(look_up(each.names), each.meaning);
        });
    }

    // A line of nothing but sections' tags and blanks leaves no line.
    void end_line(std::string_view line_break) {
        if (line_has_section_ && out_.find_first_not_of(" \t", line_) == std::string::npos)
            out_.resize(line_);
        else
            put(line_break);
        line_ = out_.size();
        line_has_section_ = false;
    }

    void put(std::string_view text) {
        if (out_.size() + text.size() > most_output_bytes)
            throw TooMuch();
        out_ += text;
    }

    void put_value(std::string_view text, bool escapes) {
        if (!escapes || reading_.kind == Kind::plain)
            return put(text);
        html::escape_to(out_, text);
        put({});
    }

    void say(std::string_view english) {
        take(1);
        const texts::Texts& texts = reading_.texts ? *reading_.texts : texts::bundled();
        const std::string translated = texts.say(locale_, reading_.domain, english, [this](std::string_view argument) {
            const json::Value* value = look_up(names_in(argument));
            return std::string(value ? value_text(*value) : std::string_view());
        });
        put_value(translated, true);
    }

    const json::Value* take_value(const std::vector<std::string>& names) {
        take(1);
        return look_up(names);
    }

    [[nodiscard]] const json::Value* look_up(const std::vector<std::string>& names) const {
        if (names.empty())
            return items_.back();
        for (std::size_t at = items_.size(); at-- > 0;)
            if (const json::Value* found = member(*items_[at], names)) {
                if (recording_ && at < recording_->items)
                    note(names, found);
                return found;
            }
        for (const auto& [place, later] : later_)
            if (later->size() > 0 && later->has_member(names.front())) {
                if (recording_)
                    recording_->is_complete = false;
                return member(later->item(0), names);
            }
        if (recording_)
            note(names, nullptr);
        return nullptr;
    }

    [[nodiscard]] const json::Value* member(const json::Value& item, const std::vector<std::string>& names) const {
        const json::Value* found = &item;
        for (const std::string& name : names) {
            if (&name != &names.front())
                if (const Later* later = later_at(found); later && !later->is_list() && later->size() > 0)
                    found = &later->item(0);
            if (!(found = found->find(name)))
                return nullptr;
        }
        return found;
    }

    void note(const std::vector<std::string>& names, const json::Value* found) const {
        const auto is_known = [&](const Renderings::Outside& each) { return each.names == names; };
        if (later_at(found))
            recording_->is_complete = false;  // the placeholder has no content
        else if (std::none_of(recording_->outside.begin(), recording_->outside.end(), is_known))
            recording_->outside.push_back({names, sameness(found)});
    }

    [[nodiscard]] const Later* later_at(const json::Value* place) const {
        for (const auto& [known, later] : later_)
            if (known == place)
                return later;
        return nullptr;
    }

    void take(std::size_t steps) {
        if (steps_taken_ += steps; steps_taken_ > most_steps)
            throw TooMuch();
    }

    const std::vector<Step>& steps_;
    const Reading& reading_;
    const std::string_view locale_;
    const std::size_t cost_of_round_;
    // The recording of one item's rendering.
    struct Recording {
        std::size_t items;  // the number of those that are outside of it
        std::vector<Renderings::Outside> outside = {};
        bool is_complete = true;
    };

    std::vector<const json::Value*> items_;
    std::vector<std::pair<const json::Value*, const Later*>> later_;  // by their places in the data
    Recording* recording_ = nullptr;
    std::string out_;
    std::size_t line_ = 0;  // where the last line of out_ begins
    bool line_has_section_ = false;
    std::size_t steps_taken_ = 0;
};

}  // namespace

struct Template::Parts {
    Parts(std::string_view its_name, const Source& source, const Reading& how)
        : name(its_name),
          domain(how.domain),
          reading{.domain = domain, .kind = how.kind, .is_lenient = how.is_lenient, .texts = how.texts},
          tags(source.tags),
          cost_of_round(1 + source.text.size() / 256),
          steps(compiled(source)) {}

    const std::string name, domain;
    const Reading reading;
    const std::set<std::string, std::less<>> tags;
    const std::size_t cost_of_round;
    const std::vector<Step> steps;
    mutable std::atomic<std::size_t> last_size{0};  // of the last rendering
};

Result<Template> Template::read(std::string_view name, std::string_view text, const Reading& reading) {
    SVC_ASSIGN_OR_RETURN(const auto source, prepare(name, text, reading));
    return Template(std::make_shared<const Parts>(name, source, reading));
}

Result<std::string> Template::render(const json::Value& data, std::string_view locale,
                                     std::span<const Later> later) const {
    static const json::Value nothing = json::Value::object();
    try {
        std::string made = Rendering(parts_->steps, parts_->reading, parts_->cost_of_round, locale,
                                     data.is_object() ? data : nothing, later)
                               .rendered(parts_->last_size.load(std::memory_order_relaxed));
        parts_->last_size.store(made.size(), std::memory_order_relaxed);
        return made;
    } catch (const TooMuch&) {
        return Error{errc::internal_error}.because(parts_->name +
                                                   " takes too long or is too long when it is filled in");
    }
}

const std::set<std::string, std::less<>>& Template::tags() const { return parts_->tags; }

std::size_t line_of_tag(std::string_view text, std::string_view tag) {
    for (auto at = text.find(tag); at != std::string_view::npos; at = text.find(tag, at + 1)) {
        const auto before = text.substr(0, at).find_last_not_of("#^&{ \t");  // "{{#tag", "{{{ tag", "{tag"
        const auto start = before == std::string_view::npos ? 0 : before + 1;
        const auto after = text.substr(at + tag.size()).find_first_not_of(" \t");
        const char end = after == std::string_view::npos ? '\0' : text[at + tag.size() + after];
        if (text.substr(start, at - start).find('{') != std::string_view::npos && (end == '}' || end == ','))
            return 1 + static_cast<std::size_t>(
                           std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }
    return 0;
}

}  // namespace svc::templates
