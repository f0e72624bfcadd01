// Data that a template gets only when it looks for it, and the texts rendered from such data before.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/json/value.hpp"

namespace svc::templates {

// The texts that sections of templates rendered from one item of data, for the next time that it is shown. Each was
// rendered in one language and with what the section read outside of the item, and is used only where those are the
// same. Its owner keeps it for one content of the item. Any thread.
class Renderings {
  public:
    // `total` counts the bytes of all Renderings that were given the same one.
    explicit Renderings(std::shared_ptr<std::atomic<std::size_t>> total) : total_(std::move(total)) {}
    ~Renderings();
    Renderings(const Renderings&) = delete;
    Renderings& operator=(const Renderings&) = delete;

    // A name looked up outside of the item, and its value: see sameness().
    struct Outside {
        std::vector<std::string> names = {};
        std::string meaning = {};
    };
    struct Rendering {
        std::uint64_t section = 0;  // of all templates of this process
        std::string locale = {};
        bool begins_line = false;  // at its beginning the line was empty; else it had text
        std::vector<Outside> outside = {};
        std::string text = {};
        std::optional<std::size_t> last_line =
            {};  // where in the text that begins; nothing: the text has no line break
        std::size_t steps = 0;
    };
    // Calls `fits` for the texts of that section, the newest first, until it takes one.
    template <class Fits>
    [[nodiscard]] std::shared_ptr<const Rendering> find(std::uint64_t section, Fits fits) const {
        const std::lock_guard lock(mutex_);
        for (auto each = all_.rbegin(); each != all_.rend(); ++each)
            if ((*each)->section == section && fits(**each))
                return *each;
        return nullptr;
    }
    void add(Rendering rendering);

  private:
    static constexpr std::size_t most = 4;                 // the oldest makes room
    static constexpr std::size_t most_bytes = 128 * 1024;  // of a text with its outside; a larger one is not kept
    std::shared_ptr<std::atomic<std::size_t>> total_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<const Rendering>> all_;
};

// One member at the top of the data that is made when a template needs it: a list, item by item, or one value. The data
// itself has a place for it under its name: an array as long as the list, of one item for one value that is there,
// empty for one that is not. One thread.
class Later {
  public:
    using Make = std::function<json::Value(std::size_t index)>;
    // `items`: the remembered texts of each item, or of the one value; null: none. `make` is called once an item, and
    // for one value with 0.
    Later(std::string name, std::vector<std::shared_ptr<Renderings>> items, Make make, bool is_list = true)
        : name_(std::move(name)), items_(std::move(items)), make_(std::move(make)), is_list_(is_list) {
        made_.resize(items_.size());
    }
    // The value's members may be asked for at the top of the data, too.
    Later& with_members(std::span<const std::string_view> names) {
        members_ = names;
        return *this;
    }

    // What templates may ask about an item's place in the list, one object for each place; the last is for all that
    // follow. It belongs to what stands around the item, so that a remembered text is used in such places alone.
    Later& stands_in(std::vector<json::Value> places) {
        places_ = std::move(places);
        return *this;
    }

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool is_list() const { return is_list_; }
    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] Renderings* remembered(std::size_t index) const { return items_[index].get(); }
    [[nodiscard]] const json::Value& item(std::size_t index) const;
    [[nodiscard]] bool has_member(std::string_view name) const;
    [[nodiscard]] const json::Value* place_of(std::size_t index) const {  // null: nothing is told
        return places_.empty() ? nullptr : &places_[std::min(index, places_.size() - 1)];
    }
    // The placeholder in the data.
    [[nodiscard]] json::Value place() const { return json::Value(json::Array(items_.size())); }

  private:
    std::string name_;
    std::vector<std::shared_ptr<Renderings>> items_;
    Make make_;
    bool is_list_;
    std::span<const std::string_view> members_;
    std::vector<json::Value> places_;
    mutable std::vector<std::optional<json::Value>> made_;
};

// A text that is equal for values which every template renders alike. Null: no value.
std::string sameness(const json::Value* value);
bool is_same(const json::Value* value, std::string_view sameness);

}  // namespace svc::templates
