// Blocks from the top of a page to its foot, then the next page.
#include "base/platform/pdf/pdf.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <sys/resource.h>
#include <thread>

#include "base/platform/pdf/paper.hpp"
#include "shared/core/text.hpp"

namespace svc::pdf {
namespace {

constexpr double gap = 4, between_columns = 10;
// Code points per layout: limits the cost of one layout.
constexpr std::size_t most_at_a_time = 20'000;
constexpr int least_priority = 19;
constexpr Color light{.red = 0.85, .green = 0.85, .blue = 0.85};

// Takes the part of a text for the next layout: whole lines or words, if it has any.
std::string beginning_of(std::string_view& text) {
    std::string_view part = text::first(text, most_at_a_time);
    std::size_t used = part.size();
    if (part.size() < text.size())
        for (const char between : {'\n', ' '})
            if (const auto at = part.rfind(between); at != std::string_view::npos) {
                used = at + 1;
                part = part.substr(0, at);
                break;
            }
    text.remove_prefix(used);
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
    // The document's name at the left, the seller at the right.
    void letterhead() {
        const double half = paper_.width() / 2;
        double left = 0, right = 0;
        if (document_.logo)
            right += paper_.logo(*document_.logo, 150, 56) + 8;
        bool first = true;
        for (const std::string& line : document_.letterhead) {
            const Lines lines = paper_.lines(
                bounded(line, most_cell),
                {.face = first ? Face::strong : Face::small, .width = half, .most_height = 36, .at_end = true});
            paper_.draw(lines, half, right);
            right += lines.height() + 1;
            first = false;
        }
        if (document_.head) {
            const Head& head = *document_.head;
            for (const auto& [text, face] :
                 {std::pair(&head.kind, Face::strong), std::pair(&head.number, Face::number)})
                if (!text->empty()) {
                    const Lines lines = paper_.lines(bounded(*text, most_cell), {.face = face,
                                                                                 .width = half - between_columns,
                                                                                 .most_height = 110,
                                                                                 .at_start = true,
                                                                                 .accent = face == Face::strong});
                    paper_.draw(lines, 0, left);
                    left += lines.height() + 2;
                }
        }
        if (left > 0 || right > 0)
            paper_.advance(std::max(left, right) + 14);
        paper_.rule(document_.accent, 1.5);
        paper_.advance(14);
        if (document_.head)
            set(*document_.head);
    }

    // Three columns: the addressee, the facts, the code.
    void set(const Head& head) {
        constexpr double addressee_width = 165, name_width = 92, code_side = 76;
        const bool has_code = !head.code.empty() && paper_.code(head.code, code_side);
        double left = 0, middle = 0;
        const auto add = [&](std::string_view text, const Style& style, double x, double& down) {
            const Lines lines = paper_.lines(bounded(text, most_cell), style);
            paper_.draw(lines, x, down);
            down += lines.height() + 1;
        };
        if (!head.addressee.empty() && !head.addressee_label.empty())
            add(head.addressee_label, {.face = Face::small, .width = addressee_width, .most_height = 24}, 0, left);
        bool first = true;
        for (const std::string& line : head.addressee) {
            add(line,
                {.face = first ? Face::strong : Face::body,
                 .width = addressee_width,
                 .most_height = 40,
                 .at_start = true},
                0, left);
            first = false;
        }
        const double begin = head.addressee.empty() ? 0 : addressee_width + 2 * between_columns;
        const double value_width = paper_.width() - begin - name_width - (has_code ? code_side + 16 : 0);
        for (const auto& [name, value] : head.facts.values) {
            if (value.empty())
                continue;
            const Lines label = paper_.lines(
                bounded(name, most_cell),
                {.face = Face::small, .width = name_width - between_columns, .most_height = 36, .at_start = true});
            const Lines text =
                paper_.lines(bounded(value, most_cell), {.width = value_width, .most_height = 60, .at_start = true});
            const double stand = std::max(label.baseline(), text.baseline());
            paper_.draw(label, begin, middle + stand - label.baseline());
            paper_.draw(text, begin + name_width, middle + stand - text.baseline());
            middle += stand + std::max(label.height() - label.baseline(), text.height() - text.baseline()) + 2;
        }
        paper_.advance(std::max({left, middle, has_code ? code_side : 0.0}) + 12);
    }

    void set(const Paragraph& paragraph) {
        const bool heads = paragraph.face == Face::heading || paragraph.face == Face::title;
        const double indent = paragraph.listed ? 12 : 0;
        const Style style{.face = paragraph.face,
                          .width = paper_.width() - indent,
                          .at_start = paragraph.listed || heads,
                          .accent = paragraph.face == Face::heading};
        std::string_view rest = paragraph.text;
        const Lines lines = paper_.lines(beginning_of(rest), style);
        // A heading is not left alone at the foot of a page.
        paper_.advance(heads ? 10 : 0);
        paper_.need(heads ? lines.height() + 40 : paragraph.face == Face::strong ? lines.height() + 20 : 0);
        if (paragraph.listed) {
            const Lines bullet = paper_.lines("•", {.face = paragraph.face, .width = indent});
            paper_.need(bullet.height());
            paper_.draw(bullet, 0, std::max(0.0, lines.baseline() - bullet.baseline()));
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
        const double left = paper_.width() * 0.26;
        for (const auto& [name, value] : facts.values) {
            if (value.empty())
                continue;
            const Lines label = paper_.lines(
                bounded(name, most_cell),
                {.face = Face::small, .width = left - between_columns, .most_height = 200, .at_start = true});
            const Style style{.face = Face::body, .width = paper_.width() - left, .at_start = true};
            // Each line separately, so that each has its own direction and stays next to its label.
            bool first = true;
            for (std::string_view rest = value; !rest.empty() || first;) {
                std::string_view line = rest.substr(0, rest.find('\n'));
                rest.remove_prefix(std::min(rest.size(), line.size() + 1));
                const Lines text = paper_.lines(beginning_of(line), style);
                if (first) {
                    paper_.need(std::max(label.height(), std::min(text.height(), 60.0)));
                    const double stand = std::max(label.baseline(), text.baseline());
                    paper_.draw(label, 0, stand - label.baseline());
                    paper_.advance(stand - text.baseline());
                }
                paper_.flow(text, left);
                go_on(line, style, left);
                first = false;
                if (paper_.is_full())
                    return;
            }
            paper_.advance(2);
        }
        paper_.advance(gap);
    }

    void set(const Table& table) {
        const auto head = [&] {
            if (table.head.empty())
                return;
            row(table, {.cells = table.head, .strong = true});
            paper_.rule(document_.accent, 1, table.indent);
            paper_.advance(3);
        };
        paper_.need(60);
        head();
        for (const Row& one : table.rows) {
            row(table, one, head);
            if (paper_.is_full())
                return;
            paper_.rule(light, 0.5, table.indent);
            paper_.advance(3);
        }
        paper_.advance(gap);
    }

    void set(const Picture& picture) {
        paper_.advance(gap);
        paper_.picture(picture.picture, std::min(picture.width, paper_.width()));
        paper_.advance(gap);
    }

    void set(const PageBreak&) { paper_.end_page(); }

    // `on_new_page` repeats the head there.
    void row(const Table& table, const Row& row, const std::function<void()>& on_new_page = {}) {
        std::vector<Lines> cells;
        double stand = 0, below = 0;
        for (std::size_t i = 0; i < row.cells.size() && i < table.widths.size(); ++i) {
            cells.push_back(paper_.lines(bounded(row.cells[i], most_cell),
                                         {.face = row.strong ? Face::strong : Face::body,
                                          .width = paper_.width() * table.widths[i] - between_columns,
                                          .most_height = paper_.body_height() / 2,
                                          .at_end = i >= table.at_end_from,
                                          .at_start = i < table.at_end_from}));
            stand = std::max(stand, cells.back().baseline());
            below = std::max(below, cells.back().height() - cells.back().baseline());
        }
        const double height = stand + below;
        if (paper_.need(height + 8) && on_new_page)
            on_new_page();
        double x = paper_.width() * table.indent;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            paper_.draw(cells[i], x + (i >= table.at_end_from ? between_columns : 0), stand - cells[i].baseline());
            x += paper_.width() * table.widths[i];
        }
        paper_.advance(height + 3);
    }

    Paper& paper_;
    const Document& document_;
};

}  // namespace

Rendered rendered(const Document& document) {
    Rendered result;
    std::exception_ptr failure;
    // Rendering has a low priority: a thread cannot raise its priority again, so it runs on a separate one.
    std::thread press([&] {
        // Refused by some sandboxes: then it runs as all others.
        static_cast<void>(setpriority(PRIO_PROCESS, 0, least_priority));
        try {
            Paper paper(document);
            Setting(paper, document).run();
            result = paper.finish();
        } catch (const TooSlow&) {
            result.in_time = false;
        } catch (...) {
            failure = std::current_exception();
        }
    });
    press.join();
    if (failure)
        std::rethrow_exception(failure);
    return result;
}

}  // namespace svc::pdf
