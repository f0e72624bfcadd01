// A PDF as other programs (poppler-utils) see it: its text, its fonts, a page as pixels.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"

namespace svc::tests {

struct PdfFont {
    std::string name;
    bool embedded = false, subset = false;
};

// A page in grey, 0 black to 255 white.
struct PdfPage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> grey;
    [[nodiscard]] int at(int x, int y) const {
        return grey[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};

class PdfFile {
  public:
    explicit PdfFile(const std::string& bytes) { std::ofstream(path()) << bytes; }

    // As it stands on the pages, columns kept apart.
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const std::string& line : run({"/usr/bin/pdftotext", "-layout", "-enc", "UTF-8", path(), "-"}))
            all += line + "\n";
        return all;
    }
    [[nodiscard]] std::vector<PdfFont> fonts() const {
        std::vector<PdfFont> fonts;
        const auto lines = run({"/usr/bin/pdffonts", path()});
        for (std::size_t i = 2; i < lines.size(); ++i) {  // name, type, encoding, emb, sub, uni, object ID
            std::istringstream words(lines[i]);
            std::vector<std::string> all;
            for (std::string word; words >> word;)
                all.push_back(word);
            if (all.size() >= 6)
                fonts.push_back({all.front(), all[all.size() - 5] == "yes", all[all.size() - 4] == "yes"});
        }
        return fonts;
    }
    [[nodiscard]] int pages() const {
        for (const std::string& line : run({"/usr/bin/pdfinfo", path()}))
            if (line.starts_with("Pages:"))
                return std::stoi(line.substr(6));
        return 0;
    }
    // At 72 dots per inch: a dot is a point.
    [[nodiscard]] PdfPage page(int number) const {
        const std::string which = std::to_string(number), out = folder_.file("page");
        run({"/usr/bin/pdftoppm", "-gray", "-r", "72", "-f", which, "-l", which, "-singlefile", path(), out});
        std::ifstream in(out + ".pgm", std::ios::binary);
        PdfPage page;
        std::string magic;
        int most = 0;
        in >> magic >> page.width >> page.height >> most;
        in.get();
        page.grey.resize(static_cast<std::size_t>(page.width) * static_cast<std::size_t>(page.height));
        in.read(reinterpret_cast<char*>(page.grey.data()), static_cast<std::streamsize>(page.grey.size()));
        return page;
    }

  private:
    [[nodiscard]] std::string path() const { return folder_.file("document.pdf"); }
    static std::vector<std::string> run(std::vector<std::string> command) {
        Child child(std::move(command));
        auto lines = child.lines();
        if (const int code = child.wait(); code != 0)
            throw std::runtime_error("a program of poppler-utils ended with " + std::to_string(code));
        return lines;
    }

    TempDir folder_;
};

}  // namespace svc::tests
