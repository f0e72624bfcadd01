// The tree that a browser would build for HTML, by gumbo, limited in memory and depth.
#pragma once

#include <cstddef>
#include <gumbo.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace svc::html {

// Memory for one tree, released as a whole. gumbo frees a tree by recursion, which a deep one would not survive.
class Arena {
  public:
    explicit Arena(std::size_t most) : most_(most) {}
    // Null when the bound is reached.
    void* take(std::size_t size);

  private:
    std::size_t most_, taken_ = 0, used_ = 0, room_ = 0;
    std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
};

// Whole code points of at most so many bytes, well-formed, and replaced where gumbo would replace them: as plain text
// they would stay and be another text when it is read again.
std::string readable(std::string_view given, std::size_t most);

// Reads the text as the content of a <div>. The text outlives the tree.
class Tree {
  public:
    explicit Tree(std::string_view text);
    // Null when reading took more than the bound.
    [[nodiscard]] const GumboNode* root() const { return root_; }

  private:
    Arena arena_;
    const GumboNode* root_ = nullptr;
};

}  // namespace svc::html
