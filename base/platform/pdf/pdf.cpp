// Blocks from the top of a page to its foot, then the next page.
#include "base/platform/pdf/pdf.hpp"

#include <algorithm>
#include <functional>
#include <mutex>

#include "base/platform/pdf/paper.hpp"
#include "shared/core/text.hpp"

namespace svc::pdf {
namespace {

constexpr double gap = 4, between_columns = 10;
// Code points that are laid out at a time, however long a text is: what one layout may cost.
constexpr std::size_t most_at_a_time = 20'000;
constexpr Color light{.red = 0.85, .green = 0.85, .blue = 0.85};

// The beginning of a text that is laid out at once, which is taken from it: whole lines or words, where it has any.
std::string beginning_of(std::string_view& text) {
    std::string_view part = text::first(text, most_at_a_time);
    std::size_t gone = part.size();
    if (part.size() < text.size())
        for (const char between : {'\n', ' '})
            if (const auto at = part.rfind(between); at != std::string_view::npos) {
                gone = at + 1;
                part = part.substr(0, at);
                break;
            }
    text.remove_prefix(gone);
    return bounded(part, part.size());
}

// The blocks of one document on its pages.
class Setting {
  public:
    Setting(Paper& paper, const Document& document) : paper_(paper), document_(document) {}

    void run() {
        letterhead();
        for (const Block& block : document_.blocks) {
            std::visit([this](const auto& one) { set(one); }, block);
            if (paper_.is_full())
                break;
        }
    }

  private:
    void letterhead() {
        const double top = paper_.y();
        double bottom = top;
        if (document_.logo)
            bottom = std::max(bottom, top + paper_.picture(*document_.logo, 150, 60));
        bool first = true;
        for (const std::string& line : document_.letterhead) {
            const Lines lines = paper_.lines(line, {.face = first ? Face::strong : Face::small,
                                                    .width = paper_.width() / 2,
                                                    .most_height = 60,
                                                    .at_end = true});
            paper_.draw(lines, paper_.width() / 2, 0);
            paper_.advance(lines.height() + 1);
            first = false;
        }
        if (bottom > paper_.y())
            paper_.advance(bottom - paper_.y());
        if (document_.logo || !document_.letterhead.empty())
            paper_.advance(14);
        paper_.rule(document_.accent, 2);
        paper_.advance(12);
    }

    void set(const Paragraph& paragraph) {
        const bool heads = paragraph.face == Face::heading || paragraph.face == Face::title;
        const double indent = paragraph.listed ? 12 : 0;
        const Style style{.face = paragraph.face, .width = paper_.width() - indent, .accent = heads};
        std::string_view rest = paragraph.text;
        const Lines lines = paper_.lines(beginning_of(rest), style);
        // A heading is not left alone at the foot of a page.
        paper_.advance(heads ? 10 : 0);
        paper_.need(heads ? lines.height() + 40 : paragraph.face == Face::strong ? lines.height() + 20 : 0);
        if (paragraph.listed) {
            const Lines bullet = paper_.lines("•", {.face = paragraph.face, .width = indent});
            paper_.need(bullet.height());
            paper_.draw(bullet, 0, 0);
        }
        paper_.flow(lines, indent);
        go_on(rest, style, indent);
        paper_.advance(gap);
    }

    void go_on(std::string_view rest, const Style& style, double x) {
        while (!rest.empty() && !paper_.is_full())
            paper_.flow(paper_.lines(beginning_of(rest), style), x);
    }

    void set(const Facts& facts) {
        const double left = paper_.width() * 0.3;
        for (const auto& [name, value] : facts.values) {
            if (value.empty())
                continue;
            const Lines label = paper_.lines(
                bounded(name, most_cell), {.face = Face::small, .width = left - between_columns, .most_height = 200});
            const Style style{.face = Face::body, .width = paper_.width() - left};
            std::string_view rest = value;
            const Lines text = paper_.lines(beginning_of(rest), style);
            paper_.need(std::max(label.height(), std::min(text.height(), 60.0)));
            paper_.draw(label, 0, 1);
            paper_.flow(text, left);
            go_on(rest, style, left);
            paper_.advance(2);
            if (paper_.is_full())
                return;
        }
        paper_.advance(gap);
    }

    void set(const Table& table) {
        const auto head = [&] {
            if (table.head.empty())
                return;
            row(table, {.cells = table.head, .strong = true});
            paper_.rule(document_.accent, 1);
            paper_.advance(3);
        };
        paper_.need(60);
        head();
        for (const Row& one : table.rows) {
            row(table, one, head);
            if (paper_.is_full())
                return;
            paper_.rule(light, 0.5);
            paper_.advance(3);
        }
        paper_.advance(gap);
    }

    // `on_new_page` repeats the head there.
    void row(const Table& table, const Row& row, const std::function<void()>& on_new_page = {}) {
        std::vector<Lines> cells;
        double height = 0;
        for (std::size_t i = 0; i < row.cells.size() && i < table.widths.size(); ++i) {
            cells.push_back(paper_.lines(bounded(row.cells[i], most_cell),
                                         {.face = row.strong ? Face::strong : Face::body,
                                          .width = paper_.width() * table.widths[i] - between_columns,
                                          .most_height = paper_.body_height() / 2,
                                          .at_end = i >= table.at_end_from}));
            height = std::max(height, cells.back().height());
        }
        if (paper_.need(height + 8) && on_new_page)
            on_new_page();
        double x = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            paper_.draw(cells[i], x + (i >= table.at_end_from ? between_columns : 0), 0);
            x += paper_.width() * table.widths[i];
        }
        paper_.advance(height + 3);
    }

    Paper& paper_;
    const Document& document_;
};

}  // namespace

Rendered rendered(const Document& document) {
    static std::mutex one_at_a_time;
    const std::lock_guard guard(one_at_a_time);
    Paper paper(document);
    Setting(paper, document).run();
    return paper.finished();
}

}  // namespace svc::pdf
