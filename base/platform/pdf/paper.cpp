// Cairo's pages and Pango's lines.
#include "base/platform/pdf/paper.hpp"

#include <algorithm>
#include <cairo-pdf.h>
#include <chrono>
#include <cstring>
#include <ctime>
#include <mutex>
#include <pango/pangocairo.h>
#include <qrencode.h>
#include <stdexcept>

#include "shared/core/text.hpp"

namespace svc::pdf {
namespace {

// A4 and its margins; the footer is in the lower margin.
constexpr double page_width = 595.28, page_height = 841.89, margin = 50, foot = 30;
constexpr double page_bottom = page_height - margin;

struct Look {
    double size;
    bool bold;
    double grey;
};

Look look_of(Face face) {
    switch (face) {
        case Face::title:
            return {16, true, 0.1};
        case Face::number:
            return {20, true, 0.1};
        case Face::heading:
            return {11.5, true, 0.1};
        case Face::strong:
            return {9.5, true, 0.1};
        case Face::small:
            return {8.5, false, 0.38};
        case Face::body:
            break;
    }
    return {9.5, false, 0.1};
}

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error(std::string("pdf: ") + cairo_status_to_string(status));
}

// A font map belongs to one rendering at a time: Pango needs one per thread. Maps with opened fonts are reused.
class Fonts {
  public:
    Fonts() {
        {
            const std::lock_guard guard(mutex_);
            if (!idle_.empty()) {
                map_ = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        if (!map_) {
            map_.reset(pango_cairo_font_map_new(), [](PangoFontMap* one) { g_object_unref(one); });
            pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map_.get()), 72);  // a point is a unit of the page
        }
    }
    ~Fonts() {
        const std::lock_guard guard(mutex_);
        if (idle_.size() < most_idle)
            idle_.push_back(std::move(map_));
    }
    Fonts(const Fonts&) = delete;
    Fonts& operator=(const Fonts&) = delete;
    [[nodiscard]] PangoFontMap* map() const { return map_.get(); }

  private:
    static constexpr std::size_t most_idle = 2;
    inline static std::mutex mutex_;
    inline static std::vector<std::shared_ptr<PangoFontMap>> idle_;
    std::shared_ptr<PangoFontMap> map_;
};

cairo_status_t append(void* out, const unsigned char* bytes, unsigned int count) {
    try {
        static_cast<std::string*>(out)->append(bytes, bytes + count);
        return CAIRO_STATUS_SUCCESS;
    } catch (...) {
        return CAIRO_STATUS_NO_MEMORY;  // Cairo is C: nothing may be thrown through it
    }
}

std::string with_few_marks(std::string text) {
    std::string line;
    std::size_t marks = 0;
    const char* const end = text.data() + text.size();
    for (const char *at = text.data(), *next = at; at < end; at = next) {
        next = g_utf8_next_char(at);
        const bool is_plain = static_cast<unsigned char>(*at) < 0x80;
        marks = !is_plain && g_unichar_ismark(g_utf8_get_char(at)) != 0 ? marks + 1 : 0;
        if (marks <= most_marks)
            line.append(at, next);
    }
    return line;
}

// Ascent and descent of a line of Noto Sans, by size.
constexpr double least_ascent = 1.069, least_descent = 0.293;

double points(int pango_units) { return pango_units / static_cast<double>(PANGO_SCALE); }
int units(double points) { return static_cast<int>(points * PANGO_SCALE); }

}  // namespace

struct Lines::Line {
    PangoLayoutLine* text;
    double x, ascent, height;  // x: within the width
};

Lines::Lines(std::shared_ptr<void> layout, double size, Color color)
    : layout_(std::move(layout)), size_(size), color_(color) {
    each([this](const Line& line) {
        if (height_ == 0)
            baseline_ = line.ascent;
        height_ += line.height;
        return true;
    });
}

void Lines::each(const std::function<bool(const Line& line)>& take) const {
    const std::unique_ptr<PangoLayoutIter, decltype(&pango_layout_iter_free)> at(
        pango_layout_get_iter(static_cast<PangoLayout*>(layout_.get())), pango_layout_iter_free);
    do {
        PangoRectangle extents;
        pango_layout_iter_get_line_extents(at.get(), nullptr, &extents);
        const double above = points(pango_layout_iter_get_baseline(at.get()) - extents.y);
        const double ascent = std::max(above, size_ * least_ascent);
        const double descent = std::max(points(extents.height) - above, size_ * least_descent);
        if (!take({pango_layout_iter_get_line_readonly(at.get()), points(extents.x), ascent, ascent + descent}))
            return;
    } while (pango_layout_iter_next_line(at.get()));
}

struct Paper::Ink {
    explicit Ink(std::string& bytes)
        : surface(cairo_pdf_surface_create_for_stream(append, &bytes, page_width, page_height), cairo_surface_destroy),
          cairo(cairo_create(surface.get()), cairo_destroy),
          context(pango_font_map_create_context(fonts.map()), g_object_unref) {
        check(cairo_surface_status(surface.get()));
        check(cairo_status(cairo.get()));
        pango_cairo_update_context(cairo.get(), context.get());
        // Positions letters exactly, not on whole points as on a screen.
        const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
            cairo_font_options_create(), cairo_font_options_destroy);
        cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
        pango_cairo_context_set_font_options(context.get(), options.get());
        pango_context_set_round_glyph_positions(context.get(), FALSE);
    }
    Fonts fonts;
    std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface;
    std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo;
    std::unique_ptr<PangoContext, decltype(&g_object_unref)> context;
};

std::string bounded(std::string_view text, std::size_t most) {
    const std::string_view beginning = text::first(text, most);
    std::string bounded = text::made_utf8(beginning);
    if (beginning.size() < text.size())
        bounded += "…";
    std::erase_if(bounded, [](char c) { return (c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; });
    return with_few_marks(std::move(bounded));
}

Paper::Paper(const Document& document)
    : document_(document),
      rendered_{.bytes = {}, .pages = 1},
      ink_(std::make_unique<Ink>(rendered_.bytes)),
      y_(margin) {
    cairo_surface_t* surface = ink_->surface.get();
    const std::string made_at = Instant::from_micros(document.made_at.seconds() * 1'000'000).text();
    for (const auto& [name, value] :
         {std::pair(CAIRO_PDF_METADATA_TITLE, &document.title), std::pair(CAIRO_PDF_METADATA_AUTHOR, &document.author),
          std::pair(CAIRO_PDF_METADATA_CREATE_DATE, &made_at), std::pair(CAIRO_PDF_METADATA_MOD_DATE, &made_at)})
        cairo_pdf_surface_set_metadata(surface, name, value->c_str());
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "svc");
    footer();
}

Paper::~Paper() = default;

double Paper::width() { return page_width - 2 * margin; }
double Paper::body_height() { return page_bottom - margin; }

void Paper::check_time() const {
    // Not the clock on the wall: a busy machine would fail documents that are short.
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    if (std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec) > document_.most_time)
        throw TooSlow();
}

Lines Paper::lines(std::string_view text, const Style& style) {
    check_time();
    const Look look = look_of(style.face);
    std::shared_ptr<PangoLayout> layout(pango_layout_new(ink_->context.get()), g_object_unref);
    const std::unique_ptr<PangoFontDescription, decltype(&pango_font_description_free)> font(
        pango_font_description_new(), pango_font_description_free);
    pango_font_description_set_family(font.get(), document_.families.c_str());
    pango_font_description_set_size(font.get(), units(look.size));
    pango_font_description_set_weight(font.get(), look.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout.get(), font.get());
    pango_layout_set_width(layout.get(), units(style.width));
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
    pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
    // Pango's left is where reading begins: in right-to-left texts the page's right.
    const bool rightward = pango_layout_line_get_resolved_direction(pango_layout_get_line_readonly(layout.get(), 0)) ==
                           PANGO_DIRECTION_RTL;
    const bool turned = rightward ? style.at_start : style.at_end;
    pango_layout_set_alignment(layout.get(), turned ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
    if (style.most_height > 0) {
        pango_layout_set_height(layout.get(), units(style.most_height));
        pango_layout_set_ellipsize(layout.get(), PANGO_ELLIPSIZE_END);
    }
    rendered_.missing_glyphs += pango_layout_get_unknown_glyphs_count(layout.get());
    return {std::shared_ptr<void>(layout, layout.get()), look.size,
            style.accent ? document_.accent : Color{look.grey, look.grey, look.grey}};
}

void Paper::paint_in(const Color& color) {
    cairo_set_source_rgb(ink_->cairo.get(), color.red, color.green, color.blue);
}

void Paper::draw(const Lines& lines, double x, double down) {
    if (full_)
        return;
    paint_in(lines.color_);
    double y = y_ + down;
    lines.each([&](const Lines::Line& line) {
        show(line, x, y);
        y += line.height;
        return true;
    });
}

void Paper::show(const Lines::Line& line, double x, double y) {
    cairo_move_to(ink_->cairo.get(), margin + x + line.x, y + line.ascent);
    pango_cairo_show_layout_line(ink_->cairo.get(), line.text);
}

void Paper::flow(const Lines& lines, double x) {
    lines.each([&](const Lines::Line& line) {
        check_time();
        need(line.height);
        if (full_)
            return false;
        paint_in(lines.color_);
        show(line, x, y_);
        y_ += line.height;
        return true;
    });
}

void Paper::rule(const Color& color, double thickness, double indent) {
    if (full_)
        return;
    cairo_t* cairo = ink_->cairo.get();
    paint_in(color);
    cairo_rectangle(cairo, margin + width() * indent, y_, width() * (1 - indent), thickness);
    cairo_fill(cairo);
}

double Paper::logo(const images::Picture& picture, double most_width, double most_height) {
    const double scale = std::min({most_width / picture.width, most_height / picture.height, 1.0});
    paint(picture, width() - picture.width * scale, scale);
    return picture.height * scale;
}

void Paper::picture(const images::Picture& picture, double wide) {
    check_time();
    const double scale = std::min(wide / picture.width, body_height() / picture.height);
    need(picture.height * scale);
    if (full_)
        return;
    paint(picture, 0, scale);
    advance(picture.height * scale);
}

void Paper::paint(const images::Picture& picture, double x, double scale) {
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height), cairo_surface_destroy);
    check(cairo_surface_status(image.get()));
    unsigned char* const pixels = cairo_image_surface_get_data(image.get());
    const int stride = cairo_image_surface_get_stride(image.get());
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const std::uint8_t* rgb = picture.rgb.data() + picture.at(x, y);
            const std::uint32_t pixel = std::uint32_t{rgb[0]} << 16U | std::uint32_t{rgb[1]} << 8U | rgb[2];
            std::memcpy(pixels + std::ptrdiff_t{y} * stride + std::ptrdiff_t{x} * 4, &pixel, sizeof pixel);
        }
    cairo_surface_mark_dirty(image.get());
    cairo_t* cairo = ink_->cairo.get();
    cairo_save(cairo);
    cairo_translate(cairo, margin + x, y_);
    cairo_scale(cairo, scale, scale);
    cairo_set_source_surface(cairo, image.get(), 0, 0);
    cairo_paint(cairo);
    cairo_restore(cairo);
}

bool Paper::code(const std::string& text, double side) {
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString(text.c_str(), 0, QR_ECLEVEL_M, QR_MODE_8, 1), QRcode_free);
    if (!code)
        return false;
    const double module = side / code->width;
    cairo_t* cairo = ink_->cairo.get();
    paint_in({});
    // One path for all, so that no seams show between modules.
    for (int y = 0; y < code->width; ++y)
        for (int x = 0, end = 0; x < code->width; x = end + 1) {
            const unsigned char* const row = code->data + std::ptrdiff_t{y} * code->width;
            for (end = x; end < code->width && (row[end] & 1) != 0;)
                ++end;
            if (end > x)
                cairo_rectangle(cairo, margin + width() - side + x * module, y_ + y * module, (end - x) * module,
                                module);
        }
    cairo_fill(cairo);
    return true;
}

bool Paper::need(double height) { return y_ + height > page_bottom && y_ > margin && next_page(); }

void Paper::end_page() {
    if (y_ > margin)
        next_page();
}

bool Paper::next_page() {
    if (full_)
        return false;
    if (rendered_.pages == most_pages) {
        y_ = page_height - foot - 18;
        draw(lines("This document has too many pages to be created.", {.face = Face::strong, .width = width()}), 0, 0);
        full_ = true;
        return false;
    }
    cairo_show_page(ink_->cairo.get());
    ++rendered_.pages;
    y_ = margin;
    footer();
    return true;
}

void Paper::footer() {
    const double begun_at = y_;
    y_ = page_height - foot;
    draw(lines(bounded(document_.footer, 200), {.face = Face::small, .width = width() * 0.8, .most_height = 12}), 0, 0);
    draw(lines(std::to_string(rendered_.pages), {.face = Face::small, .width = width(), .at_end = true}), 0, 0);
    y_ = begun_at;
}

Rendered Paper::finish() {
    cairo_surface_finish(ink_->surface.get());
    check(cairo_surface_status(ink_->surface.get()));
    check(cairo_status(ink_->cairo.get()));
    return std::move(rendered_);
}

}  // namespace svc::pdf
