# How everything is compiled: warnings are errors, the hardening list of
# docs/operating.md on every object, one compiler cache, one fast linker.
include(CheckCXXCompilerFlag)

# For objects in C too, which know none of svc-options' warnings.
add_library(svc-hardening INTERFACE)
target_compile_options(svc-hardening INTERFACE
  -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
  -ftrivial-auto-var-init=zero)
target_link_options(svc-hardening INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed)

add_library(svc-options INTERFACE)
target_link_libraries(svc-options INTERFACE svc-hardening)
target_compile_options(svc-options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees uninitialized members in every moved std::variant at -O2; the sanitizer presets look for real ones.
  target_compile_options(svc-options INTERFACE -Wno-maybe-uninitialized)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  # Optimized code brings warnings of its own, false ones among them: they are shown and stop nobody's build. The debug
  # build, which everybody works with, has no warning.
  target_compile_options(svc-options INTERFACE -Wno-error)
endif()
# The C header of the plugin interface is compiled as C too, where these do not exist.
set_property(TARGET svc-options APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
  $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)

if(CMAKE_BUILD_TYPE MATCHES "Release|RelWithDebInfo" AND NOT SVC_SANITIZE)
  # Tests are compiled in a third of the time without optimization (SVC_TEST_CODE), which fortified calls need.
  target_compile_options(svc-hardening INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:SVC_TEST_CODE>>,-O0,-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>)
endif()
# -g1 keeps usable stack traces at a third of the object size.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g1")

if(SVC_SANITIZE)
  target_compile_options(svc-options INTERFACE -fsanitize=${SVC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(svc-options INTERFACE -fsanitize=${SVC_SANITIZE})
endif()

# Several sources are compiled as one, in the order of their lists, so that neighbours of a folder share their headers.
# A helper in an anonymous namespace therefore needs a name that its neighbours do not use.
option(SVC_UNITY "Compile several sources as one" ON)
set(CMAKE_UNITY_BUILD ${SVC_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
if(SVC_UNITY)
  # GCC takes a source that another file includes for a header, and its helpers for globals that locals shadow.
  target_compile_options(svc-options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-shadow;-Wshadow=local>)
endif()

# The sources of each folder of TARGET are compiled together, ten at a time in the order of the list, so that a source
# added in one folder leaves the batches of the others as they are, and the compiler cache has them.
function(svc_batch_by_folder target)
  if(NOT SVC_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(apart ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(source MATCHES "^((admin|catalog|data|people|sales)/[^/]+|[^/]+)/.*[.]cpp$" AND NOT apart)
      string(MAKE_C_IDENTIFIER "${CMAKE_MATCH_1}" folder)
      if(NOT DEFINED listed_${folder})
        set(listed_${folder} 0)
      endif()
      math(EXPR batch "${listed_${folder}} / 10")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
      math(EXPR listed_${folder} "${listed_${folder}} + 1")
    endif()
  endforeach()
endfunction()

find_program(SVC_CCACHE ccache)
if(SVC_CCACHE)
  # Without these words ccache passes by everything that uses the precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${SVC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  target_compile_options(svc-options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
find_program(SVC_MOLD mold)
if(SVC_MOLD)
  target_link_options(svc-options INTERFACE -fuse-ld=mold)
endif()
