// Rendering by kainjow's mustache, over data of which only what the template names is converted.
#include "base/platform/templates/template.hpp"

#include <charconv>
#include <kainjow/mustache.hpp>
#include <vector>

#include "base/platform/html/html.hpp"
#include "base/platform/templates/source.hpp"

namespace svc::templates {
namespace {

namespace mustache = kainjow::mustache;
using Names = std::set<std::string, std::less<>>;

struct TooMuch {};

// The parts of "a.b.c", and the whole.
Names parts_of(const Names& tags) {
    Names parts = tags;
    for (const std::string& tag : tags) {
        std::size_t from = 0;
        for (auto dot = tag.find('.'); dot != std::string::npos; dot = tag.find('.', from)) {
            parts.insert(tag.substr(from, dot - from));
            from = dot + 1;
        }
        parts.insert(tag.substr(from));
    }
    return parts;
}

// What is empty counts as absent. Moves wherever it can: the library's own ways to fill lists and objects copy.
mustache::data converted(const json::Value& value, const Names& names) {
    switch (value.kind()) {
        case json::Kind::null:
            return {false};
        case json::Kind::boolean:
            return {value.boolean()};
        case json::Kind::number:
            return {value.number_text()};
        case json::Kind::string:
            return value.text().empty() ? mustache::data(false) : mustache::data(value.text());
        case json::Kind::array: {
            mustache::data list(mustache::data::type::list);
            auto& rows = const_cast<mustache::list&>(list.list_value());
            rows.reserve(value.size());
            for (const json::Value& each : value.items())
                rows.push_back(converted(each, names));
            return list;
        }
        case json::Kind::object: {
            mustache::data object(mustache::data::type::object);
            for (const auto& [name, member] : value.members())
                if (names.contains(name))
                    object[name] = converted(member, names);
            return object;
        }
    }
    return {false};
}

// Collects what is rendered, within bounds.
struct Output {
    std::string text;

    Output& operator<<(const std::string& more) {
        if (text.size() + more.size() > most_output_bytes)
            throw TooMuch();
        text += more;
        return *this;
    }
};

// Looks names up from the innermost item outwards, and says texts.
class Rendering final : public mustache::basic_context<std::string> {
  public:
    Rendering(const Source& source, const Reading& reading, std::string_view locale, const mustache::data& root)
        : source_(source),
          reading_(reading),
          locale_(locale),
          cost_of_round_(1 + source.text.size() / 256),
          items_{&root} {}

    void push(const mustache::data* item) override {
        take(cost_of_round_);
        items_.push_back(item);
    }
    void pop() override { items_.pop_back(); }

    const mustache::data* get(const std::string& name) const override {
        take(1);
        if (name.starts_with("t:"))
            return say(name);
        const mustache::data* found = look_up(name);
        if (found && found->is_string())
            count_bytes(found->string_value().size());
        return found;
    }
    const mustache::data* get_partial(const std::string&) const override { return nullptr; }

  private:
    [[nodiscard]] const mustache::data* look_up(std::string_view name) const {
        if (name == ".")
            return items_.back();
        for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
            const mustache::data* found = *item;
            for (std::string_view rest = name; found && !rest.empty();) {
                const auto dot = std::min(rest.find('.'), rest.size());
                found = found->get(std::string(rest.substr(0, dot)));
                rest.remove_prefix(std::min(dot + 1, rest.size()));
            }
            if (found)
                return found;
        }
        return nullptr;
    }

    // It is shown at once and asked for again elsewhere: one place holds them all.
    const mustache::data* say(std::string_view name) const {
        std::size_t index = 0;
        std::from_chars(name.data() + 2, name.data() + name.size(), index);
        const texts::Texts& texts = reading_.texts ? *reading_.texts : texts::bundled();
        std::string said =
            texts.say(locale_, reading_.domain, source_.texts.at(index), [this](std::string_view argument) {
                const mustache::data* value = look_up(argument);
                return value && value->is_string() ? value->string_value() : std::string();
            });
        if (reading_.kind == Kind::html)
            said = html::escaped(said);
        count_bytes(said.size());
        said_ = mustache::data(said);
        return &said_;
    }

    void take(std::size_t steps) const {
        if (steps_ += steps; steps_ > most_steps)
            throw TooMuch();
    }
    void count_bytes(std::size_t bytes) const {
        if (bytes_ += bytes; bytes_ > most_output_bytes)
            throw TooMuch();
    }

    const Source& source_;
    const Reading& reading_;
    const std::string_view locale_;
    const std::size_t cost_of_round_;
    std::vector<const mustache::data*> items_;
    mutable mustache::data said_{false};
    mutable std::size_t steps_ = 0, bytes_ = 0;
};

}  // namespace

struct Template::Parts {
    Parts(std::string_view its_name, Source its_source, const Reading& how)
        : name(its_name),
          domain(how.domain),
          source(std::move(its_source)),
          reading{.domain = domain, .kind = how.kind, .is_lenient = how.is_lenient, .texts = how.texts},
          names(parts_of(source.tags)),
          compiled(source.text) {
        compiled.set_custom_escape(
            [kind = how.kind](const std::string& text) { return kind == Kind::html ? html::escaped(text) : text; });
    }

    const std::string name, domain;
    const Source source;
    const Reading reading;
    const Names names;
    // Without lambdas and partials it changes nothing of itself when it renders; only its signature says otherwise.
    mutable mustache::mustache compiled;
};

Result<Template> Template::read(std::string_view name, std::string_view text, const Reading& reading) {
    auto source = prepare(name, text, reading);
    if (!source)
        return source.error();
    auto parts = std::make_shared<const Parts>(name, std::move(*source), reading);
    if (!parts->compiled.is_valid())
        return Error{errc::validation_error, std::string(name) + ": " + parts->compiled.error_message() + "."};
    return Template(std::move(parts));
}

Result<std::string> Template::render(const json::Value& data, std::string_view locale) const {
    const mustache::data root =
        data.is_object() ? converted(data, parts_->names) : mustache::data(mustache::data::type::object);
    Rendering context(parts_->source, parts_->reading, locale, root);
    Output output;
    try {
        parts_->compiled.render(context, output);
    } catch (const TooMuch&) {
        return Error{errc::internal_error}.because(parts_->name +
                                                   " takes too long or is too long when it is filled in");
    }
    return std::move(output.text);
}

const std::set<std::string, std::less<>>& Template::tags() const { return parts_->source.tags; }

}  // namespace svc::templates
