// Zip archives by minizip.
#include "base/platform/archives/archives.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <minizip/unzip.h>
#include <minizip/zip.h>

namespace svc::archives {
namespace {

constexpr std::size_t piece = 64 * 1024;
constexpr std::int64_t ratio_counts_from = 1 << 20;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error disk_failed() {
    return Error{errc::unavailable, "The file could not be written. Check the disk's free space."_sentence};
}

Error rejected(Sentence sentence) { return invalid("file", std::move(sentence)); }

bool add_member(void* archive, const Member& member) {
    const File file(std::fopen(member.file.c_str(), "rbe"));
    zip_fileinfo facts{};
    facts.dosDate = 0x00210000;  // the same bytes for the same content: 1980-01-01
    if (!file || zipOpenNewFileInZip64(archive, member.name.c_str(), &facts, nullptr, 0, nullptr, 0, nullptr,
                                       Z_DEFLATED, Z_DEFAULT_COMPRESSION, 1) != ZIP_OK)
        return false;
    std::vector<char> buffer(piece);
    for (;;) {
        const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
        if (got > 0 && zipWriteInFileInZip(archive, buffer.data(), static_cast<unsigned>(got)) != ZIP_OK)
            return false;
        if (got < buffer.size())
            break;
    }
    return std::ferror(file.get()) == 0 && zipCloseFileInZip(archive) == ZIP_OK;
}

class Unpacking {
  public:
    Unpacking(unzFile archive, const Bounds& bounds) : archive_(archive), bounds_(bounds) {}

    Result<void> member(const std::string& into, std::int64_t packed, std::uint64_t size) {
        if (unzOpenCurrentFile(archive_) != UNZ_OK)
            return rejected("The archive is damaged."_sentence);
        const File file(std::fopen(into.c_str(), "wbxe"));
        auto done =
            file ? copy(file.get(), packed) : Result<void>(rejected("The archive has two files of one name."_sentence));
        // The checksum is compared here, but of a file that ends early.
        if ((unzCloseCurrentFile(archive_) != UNZ_OK || own_ != size) && done)
            return rejected("The archive is damaged."_sentence);
        return done;
    }

  private:
    Result<void> copy(std::FILE* file, std::int64_t packed) {
        std::vector<char> buffer(piece);
        own_ = 0;
        for (;;) {
            const int got = unzReadCurrentFile(archive_, buffer.data(), static_cast<unsigned>(buffer.size()));
            if (got < 0)
                return rejected("The archive is damaged."_sentence);
            if (got == 0)
                return std::fflush(file) == 0 ? Result<void>() : Result<void>(disk_failed());
            own_ += static_cast<std::uint64_t>(got);
            bytes_ += got;
            const auto own = static_cast<std::int64_t>(own_);
            if (bytes_ > bounds_.bytes || (own > ratio_counts_from && own / bounds_.ratio > packed))
                return rejected("The archive unpacks to more than is allowed."_sentence);
            if (std::fwrite(buffer.data(), 1, static_cast<std::size_t>(got), file) != static_cast<std::size_t>(got))
                return disk_failed();
        }
    }
    unzFile archive_;
    const Bounds& bounds_;
    std::int64_t bytes_ = 0;
    std::uint64_t own_ = 0;  // of the current file
};

}  // namespace

Result<void> pack(const std::string& path, const std::vector<Member>& members) {
    void* archive = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
    bool good = archive != nullptr;
    for (const Member& member : members)
        good = good && add_member(archive, member);
    if (archive)
        good = zipClose(archive, nullptr) == ZIP_OK && good;
    if (good)
        return {};
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return disk_failed();
}

Result<std::vector<std::string>> unpack(const std::string& path, const std::string& folder,
                                        const std::function<bool(std::string_view name)>& takes, const Bounds& bounds) {
    const std::unique_ptr<void, decltype(&unzClose)> archive(unzOpen64(path.c_str()), &unzClose);
    if (!archive)
        return rejected("This is no zip archive."_sentence);
    std::vector<std::string> names;
    Unpacking unpacking(archive.get(), bounds);
    int at = unzGoToFirstFile(archive.get());
    for (; at == UNZ_OK; at = unzGoToNextFile(archive.get())) {
        unz_file_info64 facts{};
        std::array<char, 256> name{};
        if (unzGetCurrentFileInfo64(archive.get(), &facts, name.data(), name.size(), nullptr, 0, nullptr, 0) !=
                UNZ_OK ||
            facts.size_filename >= name.size())
            return rejected("The archive is damaged."_sentence);
        if (names.size() == bounds.members)
            return rejected("The archive has too many files."_sentence);
        const std::string plain(name.data(), facts.size_filename);
        if (!takes(plain))
            return rejected(
                "The archive has a file that is not of an export: only manifest.json and .jsonl files are"
                " taken."_sentence);
        SVC_RETURN_IF_ERROR(unpacking.member(folder + "/" + plain, static_cast<std::int64_t>(facts.compressed_size),
                                             facts.uncompressed_size));
        names.push_back(plain);
    }
    if (at != UNZ_END_OF_LIST_OF_FILE)
        return rejected("The archive is damaged."_sentence);
    return names;
}

Result<std::string> member_of(const std::string& path, const std::string& name, std::size_t most) {
    const std::unique_ptr<void, decltype(&unzClose)> archive(unzOpen64(path.c_str()), &unzClose);
    if (!archive)
        return rejected("This is no zip archive."_sentence);
    if (unzLocateFile(archive.get(), name.c_str(), 1) != UNZ_OK || unzOpenCurrentFile(archive.get()) != UNZ_OK)
        return rejected("The archive has no {name}."_sentence.with("name", name));
    std::string text(most + 1, '\0');
    std::size_t size = 0;
    int got = 1;
    while (got > 0 && size <= most) {
        got = unzReadCurrentFile(archive.get(), text.data() + size, static_cast<unsigned>(text.size() - size));
        size += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    unz_file_info64 facts{};
    const bool is_whole =
        unzGetCurrentFileInfo64(archive.get(), &facts, nullptr, 0, nullptr, 0, nullptr, 0) == UNZ_OK && got == 0 &&
        facts.uncompressed_size == size && unzCloseCurrentFile(archive.get()) == UNZ_OK;
    if (size > most)
        return rejected("The file {name} of the archive is too large."_sentence.with("name", name));
    if (!is_whole)
        return rejected("The archive is damaged."_sentence);
    text.resize(size);
    return text;
}

}  // namespace svc::archives
