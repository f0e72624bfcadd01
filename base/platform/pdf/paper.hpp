// The pages of one document and the place where writing has come to; distances are in points, y from the top.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/platform/pdf/pdf.hpp"

namespace svc::pdf {

struct Style {
    Face face = Face::body;
    double width = 0;
    double most_height = 0;  // longer text ends in an ellipsis; 0: no limit
    bool at_end = false;     // at the right
    bool at_start = false;   // at the left, in right-to-left scripts too
    bool accent = false;     // in the document's colour
};

// A text broken into lines, each at least as high as Latin ones of its size, so that rows of all scripts are alike.
// Ends before its paper.
class Lines {
  public:
    Lines(std::shared_ptr<void> layout, double size, Color color);
    [[nodiscard]] double height() const { return height_; }
    // From the top to the first baseline, so that adjacent texts align.
    [[nodiscard]] double baseline() const { return baseline_; }

  private:
    friend class Paper;
    struct Line;
    // Until `take` answers false.
    void each(const std::function<bool(const Line& line)>& take) const;

    std::shared_ptr<void> layout_;
    double size_, height_ = 0, baseline_ = 0;
    Color color_;
};

// Made and used on one thread, whose processor time since its start counts.
class Paper {
  public:
    explicit Paper(const Document& document);
    ~Paper();
    Paper(const Paper&) = delete;
    Paper& operator=(const Paper&) = delete;

    [[nodiscard]] static double width();        // between the margins
    [[nodiscard]] static double body_height();  // of a page
    [[nodiscard]] double y() const { return y_; }
    // Whether the last allowed page is full; further content is dropped.
    [[nodiscard]] bool is_full() const { return full_; }

    Lines lines(std::string_view text, const Style& style);
    // All of it here, `x` from the left margin and `down` below y, which stays.
    void draw(const Lines& lines, double x, double down);
    // Line by line from here on, over pages; y follows.
    void flow(const Lines& lines, double x);
    void rule(const Color& color, double thickness, double indent = 0);  // a share of the line
    // Within a box at the right margin, never larger than its pixels; answers its height. y stays.
    double logo(const images::Picture& picture, double most_width, double most_height);
    // At the left margin, that wide if the page is high enough; y follows.
    void picture(const images::Picture& picture, double wide);
    // A QR code of that side at the right margin; false when the text is too long for one.
    bool code(const std::string& text, double side);

    void advance(double down) { y_ += down; }
    // Ensures so much space, on the next page if needed; true when a page was added.
    bool need(double height);
    // Goes on at the top of the next page; a page without content stays the current one.
    void end_page();

    Rendered finish();

  private:
    struct Ink;
    void check_time() const;
    void show(const Lines::Line& line, double x, double y);
    void paint_in(const Color& color);
    void paint(const images::Picture& picture, double x, double scale);
    void footer();
    bool next_page();

    const Document& document_;
    Rendered rendered_;
    std::unique_ptr<Ink> ink_;  // writes into the members above
    double y_;
    bool full_ = false;
};

// The document was not finished in its time.
struct TooSlow : std::runtime_error {
    TooSlow() : std::runtime_error("pdf: the document was not finished in time") {}
};

// The text without control characters, with at most most_marks marks in a row, and with an ellipsis after that many
// code points.
std::string bounded(std::string_view text, std::size_t most);

}  // namespace svc::pdf
