// Pages, files and origins that partners of the site bring: they become pages like its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/feature/site.hpp"
#include "base/website/pages/request.hpp"
#include "base/website/pages/router.hpp"
#include "base/website/pages/scripts.hpp"
#include "base/website/pages/theme.hpp"
#include "shared/pages/offered.hpp"

namespace svc::pages {

// Filled at start-up; any thread after that.
class Partners {
  public:
    Partners(const Site& site, Router& router, Theme& theme) : site_(site), router_(router), theme_(theme) {}

    // Why a page cannot be added: its path is no page's or taken, its template is broken. [start-up]
    [[nodiscard]] Result<void> check(const OfferedPage& page) const;
    void add(OfferedPage page);           // one that passed check()
    void add(const OfferedAsset& asset);  // [start-up]
    // Why a tag cannot be added: its id, its name, its purpose or its script is none. [start-up]
    [[nodiscard]] static Result<void> check(const OfferedTag& tag);
    void add(OfferedTag tag);  // one that passed check(), after its script
    void declare(std::string of, const Origins& origins) { add_origins(origins_[std::move(of)], origins); }

    // Their pages of the account whose module is on: label and word of the path. Any thread.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> account_pages() const;
    // Puts the account's menu around such a page; `word`: the one that it is. [start-up]
    using Surround = std::function<void(PageRequest& visit, View& view, const std::string& word)>;
    void surround_with(Surround surround) { surround_ = std::move(surround); }

    // Makes the cards of the site of rows as GET /trips/public has them. [start-up]
    using Cards = std::function<json::Value(PageRequest& visit, const json::Value& trips)>;
    void show_cards_with(Cards cards) { cards_ = std::move(cards); }

    // A part of one of the base's own pages: {"page", "model"}, where `page` is the type of a partner's page, whose
    // template shows the model. Nothing: there is no such page, or its module is off. Any thread.
    [[nodiscard]] std::optional<std::string> part(const PageRequest& visit, const json::Value& part) const;

    [[nodiscard]] Origins origins(const std::string& of) const;
    // Those whose module is on. They live as long as this. Any thread.
    [[nodiscard]] std::vector<const Tag*> tags() const;
    [[nodiscard]] const Script* asset_at(std::string_view path) const;

  private:
    [[nodiscard]] View show(PageRequest& visit, const OfferedPage& page) const;

    const Site& site_;
    Router& router_;
    Theme& theme_;
    std::vector<std::unique_ptr<OfferedPage>> pages_;
    std::map<std::string, Script, std::less<>> assets_;  // by path
    json::Value asset_paths_ = json::Value::object();
    std::map<std::string, Origins, std::less<>> origins_;
    std::vector<std::unique_ptr<Tag>> tags_;
    Surround surround_;
    Cards cards_;
};

}  // namespace svc::pages
