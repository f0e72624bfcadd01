// svc-pack OUTPUT.cpp FUNCTION NAME=FILE... : writes files, plain and in brotli and gzip where that is smaller, into
// OUTPUT.cpp.bytes and a source that embeds it. NAME/=FOLDER takes all files of a folder. Runs at build.
#include <algorithm>
#include <brotli/encode.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <zlib.h>

#include "base/platform/crypto/crypto.hpp"

namespace {

namespace fs = std::filesystem;

struct File {
    std::string name, served, hash, text;
};

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in)
        throw std::runtime_error("svc-pack cannot read " + path.string() + ".");
    return text.str();
}

struct Kind {
    const char* type;
    bool is_text;
};

Kind kind_of(const std::string& name) {
    static const std::map<std::string, Kind> kinds{{".css", {"text/css; charset=utf-8", true}},
                                                   {".js", {"text/javascript; charset=utf-8", true}},
                                                   {".html", {"text/html; charset=utf-8", true}},
                                                   {".json", {"application/json; charset=utf-8", true}},
                                                   {".svg", {"image/svg+xml", true}},
                                                   {".webmanifest", {"application/manifest+json", true}},
                                                   {".txt", {"text/plain; charset=utf-8", true}},
                                                   {".woff2", {"font/woff2", false}},
                                                   {".png", {"image/png", false}},
                                                   {".jpg", {"image/jpeg", false}},
                                                   {".webp", {"image/webp", false}},
                                                   {".ico", {"image/x-icon", false}}};
    const auto found = kinds.find(fs::path(name).extension().string());
    if (found == kinds.end())
        throw std::runtime_error("svc-pack knows no media type of " + name + ". Add it in pack_files.cpp.");
    return found->second;
}

// esbuild's chunks have their hash in their name, since other chunks import them by it.
bool names_its_hash(const std::string& name) {
    const std::string stem = fs::path(name).stem().string();
    const auto dash = stem.rfind('-');
    return dash != std::string::npos && stem.size() - dash == 9 &&
           std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(dash) + 1, stem.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

std::string served_name(const File& file) {
    if (names_its_hash(file.name))
        return file.name;
    const fs::path path(file.name);
    return (path.parent_path() / (path.stem().string() + "." + file.hash + path.extension().string())).string();
}

// url(font.woff2) of a style sheet names a file in its folder: replaced by the name that file is served by.
void rename_links(File& sheet, const std::map<std::string, std::string>& served) {
    std::string out;
    std::size_t at = 0;
    for (std::size_t open = sheet.text.find("url(", at); open != std::string::npos;
         open = sheet.text.find("url(", at)) {
        const std::size_t begin = open + 4, end = sheet.text.find(')', begin);
        if (end == std::string::npos)
            break;
        std::string link = sheet.text.substr(begin, end - begin);
        std::erase_if(link, [](char c) { return c == '"' || c == '\''; });
        const fs::path folder = fs::path(sheet.name).parent_path();
        const auto found = served.find((folder / link).lexically_normal().string());
        out += sheet.text.substr(at, begin - at);
        out += found == served.end() ? sheet.text.substr(begin, end - begin)
                                     : fs::path(found->second).lexically_relative(folder).string();
        at = end;
    }
    sheet.text = out + sheet.text.substr(at);
}

std::string gzipped(const std::string& text) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string brotlied(const std::string& text) {
    std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
    std::string out(size, '\0');
    if (BrotliEncoderCompress(BROTLI_MAX_QUALITY, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, text.size(),
                              reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                              reinterpret_cast<std::uint8_t*>(out.data())) != BROTLI_TRUE)
        throw std::bad_alloc();
    out.resize(size);
    return out;
}

std::vector<File> collected(const std::vector<std::string>& arguments) {
    std::vector<File> files;
    for (const std::string& argument : arguments) {
        const auto equals = argument.find('=');
        if (equals == std::string::npos)
            throw std::runtime_error("svc-pack takes NAME=FILE, not " + argument + ".");
        const std::string name = argument.substr(0, equals);
        const fs::path path = argument.substr(equals + 1);
        if (!name.ends_with('/')) {
            files.push_back({name, {}, {}, read(path)});
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(path))
            if (entry.is_regular_file())
                files.push_back({name + entry.path().lexically_relative(path).string(), {}, {}, read(entry.path())});
    }
    // Style sheets last: they name the others.
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
        return std::pair(a.name.ends_with(".css"), a.name) < std::pair(b.name.ends_with(".css"), b.name);
    });
    return files;
}

void pack(const std::string& output, const std::string& function, std::vector<File> files) {
    std::map<std::string, std::string> served;
    std::string bytes, rows;
    const auto place = [&bytes](const std::string& text) {
        const std::size_t at = bytes.size();
        bytes += text;
        return "{" + std::to_string(at) + ", " + std::to_string(text.size()) + "}";
    };
    for (File& file : files) {
        const Kind kind = kind_of(file.name);
        if (file.name.ends_with(".css"))
            rename_links(file, served);
        file.hash = svc::crypto::sha256_hex(file.text).substr(0, 10);
        file.served = served_name(file);
        served.emplace(file.name, file.served);
        rows += "    {\"" + file.name + "\", \"" + file.served + "\", \"" + kind.type + "\", \"" + file.hash + "\", " +
                place(file.text);
        for (const std::string& coded : {gzipped(file.text), brotlied(file.text)}) {
            const bool saves = kind.is_text && file.text.size() >= 512 && coded.size() < file.text.size();
            rows += ", " + (saves ? place(coded) : "{}");
        }
        rows += "},\n";
    }
    const std::string symbol = "svc_pack_" + function;
    std::ofstream(output + ".bytes", std::ios::binary) << bytes << '\0';
    std::ofstream source(output);
    source << "// Written by svc-pack.\n#include <array>\n\n#include \"base/platform/assets/pack.hpp\"\n\n"
           << "asm(\".pushsection .rodata\\n.balign 16\\n"
           << symbol << ":\\n.incbin \\\"" << output << ".bytes\\\"\\n.popsection\\n\");\n"
           << "extern \"C\" __attribute__((visibility(\"hidden\"))) const char " << symbol << "[];\n\n"
           << "namespace svc::embedded {\nnamespace {\n\nconstexpr std::array<assets::Packed, " << files.size()
           << "> files_of_" << function << "{{\n"
           << rows << "}};\n\n}  // namespace\n\nassets::Pack " << function << "();\nassets::Pack " << function
           << "() { return {files_of_" << function << ", " << symbol << "}; }\n\n}  // namespace svc::embedded\n";
    if (!source.flush())
        throw std::runtime_error("svc-pack cannot write " + output + ".");
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count < 3)
            throw std::runtime_error("svc-pack OUTPUT.cpp FUNCTION NAME=FILE...");
        pack(words[1], words[2], collected({words + 3, words + count}));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
