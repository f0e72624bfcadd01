// The digest of a document and the list of those that were rendered.
#include "base/sales/documents/printed.hpp"

#include "base/platform/crypto/crypto.hpp"

namespace svc::documents {
namespace {

// All parts one after the other, each with its length, so that no two documents give the same bytes.
class DigestParts {
  public:
    void add(std::string_view text) {
        all_ += std::to_string(text.size()) + ':';
        all_ += text;
    }
    void add(double number) { add(std::to_string(number)); }
    void add(const std::vector<std::string>& texts) {
        add(std::to_string(texts.size()));
        for (const std::string& text : texts)
            add(text);
    }
    void add(const pdf::Facts& facts) {
        add("facts" + std::to_string(facts.values.size()));
        for (const auto& [name, value] : facts.values) {
            add(name);
            add(value);
        }
    }
    void add(const pdf::Paragraph& paragraph) {
        add(std::string("paragraph") + (paragraph.listed ? "listed" : "") +
            std::to_string(static_cast<int>(paragraph.face)));
        add(paragraph.text);
    }
    void add(const pdf::Table& table) {
        add("table" + std::to_string(table.rows.size()) + "," + std::to_string(table.widths.size()) + "," +
            std::to_string(table.at_end_from));
        add(table.indent);
        for (const double width : table.widths)
            add(width);
        add(table.head);
        for (const pdf::Row& row : table.rows) {
            add(row.strong ? "strong" : "plain");
            add(row.cells);
        }
    }
    void add(const images::Picture& picture) {
        add(std::to_string(picture.width) + "x" + std::to_string(picture.height));
        add(std::string_view(reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size()));
    }
    void add(const pdf::Picture& picture) {
        add("picture");
        add(picture.width);
        add(picture.picture);
    }
    void add(const pdf::PageBreak&) { add("page break"); }
    void add(const pdf::Head& head) {
        for (const std::string& text : {head.kind, head.number, head.addressee_label, head.code})
            add(text);
        add(head.addressee);
        add(head.facts);
    }
    [[nodiscard]] std::string digest() const { return crypto::sha256(all_); }

  private:
    std::string all_;
};

}  // namespace

std::string digest_of(const pdf::Document& document) {
    DigestParts parts;
    for (const std::string& text : {document.title, document.author, document.footer, document.families})
        parts.add(text);
    for (const double part : {document.accent.red, document.accent.green, document.accent.blue})
        parts.add(part);
    parts.add(document.made_at.text());
    if (document.logo)
        parts.add(*document.logo);
    parts.add(document.letterhead);
    if (document.head)
        parts.add(*document.head);
    for (const pdf::Block& block : document.blocks)
        std::visit([&](const auto& one) { parts.add(one); }, block);
    return parts.digest();
}

PrintedPages::Pages PrintedPages::find(const std::string& digest) {
    const std::lock_guard guard(mutex_);
    const auto found = by_digest_.find(digest);
    if (found == by_digest_.end())
        return {};
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return found->second->pages;
}

void PrintedPages::add(const std::string& digest, const Pages& pages) {
    const std::size_t size = pages->bytes.size();
    const std::lock_guard guard(mutex_);
    if (size > most_bytes_ || by_digest_.contains(digest))
        return;
    by_use_.push_front({digest, pages});
    by_digest_[digest] = by_use_.begin();
    for (bytes_ += size; bytes_ > most_bytes_; by_use_.pop_back()) {
        bytes_ -= by_use_.back().pages->bytes.size();
        by_digest_.erase(by_use_.back().digest);
    }
}

std::size_t PrintedPages::bytes() const {
    const std::lock_guard guard(mutex_);
    return bytes_;
}

}  // namespace svc::documents
