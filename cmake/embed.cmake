# svc_embed(TARGET FUNCTION FILES...) compiles files, listed by name, into TARGET as
#   std::span<const svc::Embedded> svc::embedded::FUNCTION();
# in the order given. The caller declares the function where it is used. Run by itself (-P) it writes the source.
# svc_embed_tree(TARGET FUNCTION FOLDER PATTERNS...) does so with all files of the folder and those below that match, each
# named by its path in the folder ("mail/de.po"): for texts and templates, which come and go without a change of code.
if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  foreach(file IN LISTS FILES)
    file(READ ${file} text)
    if(FOLDER)
      file(RELATIVE_PATH name ${FOLDER} ${file})
    else()
      get_filename_component(name ${file} NAME)
    endif()
    string(APPEND rows "    {\"${name}\", R\"svcfile(${text})svcfile\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/embed.cmake.
#include <array>
#include <span>

#include \"shared/core/embedded.hpp\"

namespace svc::embedded {
namespace {

constexpr std::array<Embedded, ${COUNT}> files{{
${rows}}};

}  // namespace

std::span<const Embedded> ${FUNCTION}();
std::span<const Embedded> ${FUNCTION}() { return files; }

}  // namespace svc::embedded
")
  return()
endif()

set(SVC_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(svc_embed target function)
  set(files ${ARGN})
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/)
  list(LENGTH files count)
  set(output ${CMAKE_BINARY_DIR}/generated/embedded/${function}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DCOUNT=${count} -DFUNCTION=${function} -DOUTPUT=${output}
            -P ${SVC_EMBED_SCRIPT}
    DEPENDS ${files} ${SVC_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

function(svc_embed_tree target function folder)
  set(patterns ${ARGN})
  list(TRANSFORM patterns PREPEND ${CMAKE_SOURCE_DIR}/${folder}/)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  list(LENGTH files count)
  set(output ${CMAKE_BINARY_DIR}/generated/embedded/${function}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DFOLDER=${CMAKE_SOURCE_DIR}/${folder} -DCOUNT=${count}
            -DFUNCTION=${function} -DOUTPUT=${output} -P ${SVC_EMBED_SCRIPT}
    DEPENDS ${files} ${SVC_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
