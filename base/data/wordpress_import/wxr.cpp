// WXR by expat.
#include "base/data/wordpress_import/wxr.hpp"

#include <expat.h>
#include <fstream>
#include <memory>
#include <optional>

namespace svc::wordpress_import {
namespace {

constexpr std::size_t longest_text = 2 << 20, most_parts = 20'000, piece_size = 64 << 10, most_pieces = 16 << 20;

Error no_export(const std::string& why) {
    return invalid("file", "This is no WordPress export: {why}"_sentence.with("why", why));
}

class Stream {
  public:
    Stream(XML_Parser parser, const std::function<Result<void>(const Item&)>& take) : parser_(parser), take_(take) {}

    void begin(std::string_view name, const char** attributes) {
        text_.clear();
        if (item_ && (name == "item" || name == "wp:term")) {
            fail(no_export("an item stands within another one."));
        } else if (name == "item" || name == "wp:term" || name == "wp:category" || name == "wp:tag") {
            item_.emplace();
            wrapper_ = name;
            parts_ = 0;
            in_comment_ = false;
            if (name != "item" && name != "wp:term")
                item_->taxonomy = name == "wp:tag" ? "post_tag" : "category";
        } else if (name == "wp:comment" && item_) {
            item_->comments.emplace_back();
            in_comment_ = true;
        } else if (name == "category" && item_) {
            term_ = {};
            for (const char** each = attributes; *each; each += 2) {
                const std::string_view key = each[0];
                if (key == "domain")
                    term_.taxonomy = each[1];
                else if (key == "nicename")
                    term_.slug = each[1];
            }
        }
    }
    void characters(std::string_view more) {
        if (text_.size() + more.size() > longest_text)
            fail(no_export("a text is too long."));
        else
            text_ += more;
    }
    void end(std::string_view name) {
        if (!item_)
            return;
        if (name == wrapper_) {
            const Item item = std::move(*item_);
            item_.reset();
            if (auto taken = take_(item); !taken)
                fail(taken.error());
        } else if (wrapper_ == "item") {
            end_of_item(name);
        } else {
            end_of_term(name);
        }
        text_.clear();
    }
    void fail(Error error) {
        if (!error_)
            error_ = std::move(error);
        XML_StopParser(parser_, XML_FALSE);
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    void end_of_comment(std::string_view name) {
        CommentOfItem& comment = item_->comments.back();
        const std::pair<std::string_view, std::string*> members[] = {{"wp:comment_author", &comment.author},
                                                                     {"wp:comment_author_email", &comment.email},
                                                                     {"wp:comment_date_gmt", &comment.date},
                                                                     {"wp:comment_content", &comment.content},
                                                                     {"wp:comment_approved", &comment.approved},
                                                                     {"wp:comment_type", &comment.type},
                                                                     {"wp:meta_key", &meta_key_}};
        for (const auto& [known, member] : members)
            if (known == name)
                *member = text_;
        if (name == "wp:meta_value" && ++parts_ <= most_parts)
            comment.meta.emplace_back(meta_key_, text_);
        in_comment_ = name != "wp:comment";
    }
    void end_of_item(std::string_view name) {
        if (in_comment_) {
            end_of_comment(name);
        } else if (name == "category") {
            term_.name = text_;
            item_->terms.push_back(term_);
        } else if (name == "wp:meta_key") {
            meta_key_ = text_;
        } else if (name == "wp:meta_value") {
            item_->meta.emplace_back(meta_key_, text_);
        } else if (std::string* member = item_member(name)) {
            *member = text_;
        }
        if (item_->meta.size() + item_->terms.size() + item_->comments.size() > most_parts || parts_ > most_parts)
            fail(no_export("an item has too many parts."));
    }
    std::string* item_member(std::string_view name) {
        const std::pair<std::string_view, std::string*> members[] = {{"title", &item_->title},
                                                                     {"content:encoded", &item_->content},
                                                                     {"excerpt:encoded", &item_->excerpt},
                                                                     {"wp:post_id", &item_->id},
                                                                     {"wp:post_name", &item_->slug},
                                                                     {"wp:status", &item_->status},
                                                                     {"wp:post_type", &item_->post_type},
                                                                     {"wp:post_date_gmt", &item_->date},
                                                                     {"wp:attachment_url", &item_->url},
                                                                     {"wp:post_password", &item_->password},
                                                                     {"wp:post_parent", &item_->parent}};
        for (const auto& [known, member] : members)
            if (known == name)
                return member;
        return nullptr;
    }
    void end_of_term(std::string_view name) {
        if (name == "wp:meta_key")
            meta_key_ = text_;
        else if (name == "wp:meta_value" && ++parts_ <= most_parts)
            item_->meta.emplace_back(meta_key_, text_);
        const std::pair<std::string_view, std::string*> members[] = {{"wp:term_taxonomy", &item_->taxonomy},
                                                                     {"wp:term_slug", &item_->slug},
                                                                     {"wp:term_name", &item_->title},
                                                                     {"wp:term_parent", &item_->parent},
                                                                     {"wp:term_description", &item_->description},
                                                                     {"wp:term_id", &item_->id},
                                                                     {"wp:category_nicename", &item_->slug},
                                                                     {"wp:cat_name", &item_->title},
                                                                     {"wp:category_parent", &item_->parent},
                                                                     {"wp:category_description", &item_->description},
                                                                     {"wp:tag_slug", &item_->slug},
                                                                     {"wp:tag_name", &item_->title},
                                                                     {"wp:tag_description", &item_->description}};
        for (const auto& [known, member] : members)
            if (known == name)
                *member = text_;
    }

    XML_Parser parser_;
    const std::function<Result<void>(const Item&)>& take_;
    std::optional<Item> item_;
    std::string wrapper_, text_, meta_key_;
    TermOfItem term_;
    std::size_t parts_ = 0;  // metas of the item's comments
    bool in_comment_ = false;
    std::optional<Error> error_;
};

Stream& stream_of(void* user) { return *static_cast<Stream*>(user); }

// Why the parser stopped, with the line that an editor shows.
Error unreadable(XML_Parser parser, std::int64_t lines_before, bool is_last) {
    const XML_Error code = XML_GetErrorCode(parser);
    if (code == XML_ERROR_UNKNOWN_ENCODING)
        return no_export("its character encoding is not known here. Save it as UTF-8.");
    const bool is_cut_off = is_last && (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
                                        code == XML_ERROR_UNCLOSED_CDATA_SECTION || code == XML_ERROR_PARTIAL_CHAR);
    if (is_cut_off)
        return no_export("it ends too early. Export it again, and see that the download is complete.");
    const auto line = static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser)) + lines_before;
    return no_export("line " + std::to_string(line) + " is no XML (" + XML_ErrorString(code) + ").");
}

}  // namespace

std::string meta_in(const Metas& metas, std::string_view key) {
    for (const auto& [name, value] : metas)
        if (name == key)
            return value;
    return {};
}

Result<CleanBytes::Dropped> read_wxr(const std::string& path, const std::function<Result<void>(const Item&)>& take) {
    std::ifstream file(path, std::ios::binary);
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                              &XML_ParserFree);
    if (!file || !parser)
        return errc::internal_error;
    Stream stream(parser.get(), take);
    XML_SetUserData(parser.get(), &stream);
    XML_SetElementHandler(
        parser.get(),
        [](void* user, const char* name, const char** attributes) { stream_of(user).begin(name, attributes); },
        [](void* user, const char* name) { stream_of(user).end(name); });
    XML_SetCharacterDataHandler(parser.get(), [](void* user, const char* text, int length) {
        stream_of(user).characters({text, static_cast<std::size_t>(length)});
    });
    // Rejects entity declarations, so that no entity can grow.
    XML_SetStartDoctypeDeclHandler(parser.get(), [](void* user, const char*, const char*, const char*, int) {
        stream_of(user).fail(no_export("it declares a document type."));
    });
    std::string piece(piece_size, '\0'), clean;
    CleanBytes bytes;
    // The parser reads what it has not finished from its start again, a comment or a tag: what does not end is given
    // to it in ever larger pieces.
    std::size_t wanted = piece_size;
    XML_Index read = -1;
    for (bool is_last = false; !is_last;) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto got = static_cast<std::size_t>(file.gcount());
        is_last = got < piece.size();
        bytes.add({piece.data(), got}, is_last, clean);
        if (!is_last && clean.size() < wanted)
            continue;
        if (XML_Parse(parser.get(), clean.data(), static_cast<int>(clean.size()), is_last ? 1 : 0) == XML_STATUS_ERROR)
            return stream.error() ? *stream.error() : unreadable(parser.get(), bytes.dropped().blank_lines, is_last);
        clean.clear();
        const XML_Index now = XML_GetCurrentByteIndex(parser.get());
        wanted = now == read ? std::min(2 * wanted, most_pieces) : piece_size;
        read = now;
    }
    return bytes.dropped();
}

}  // namespace svc::wordpress_import
