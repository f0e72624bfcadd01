# svc_pack(TARGET FUNCTION [DEPENDS FILE...] NAME=FILE...) compiles files as browsers get them into TARGET, as
#   svc::assets::Pack svc::embedded::FUNCTION();
# Their names begin with NAME; NAME/=FOLDER takes a folder that DEPENDS makes.
function(svc_pack target function)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "DEPENDS;FILES")
  set(depends ${ARG_DEPENDS})
  foreach(row IN LISTS ARG_FILES)
    string(REGEX REPLACE "^[^=]*=" "" file ${row})
    if(NOT IS_DIRECTORY ${file} AND NOT row MATCHES "^[^=]*/=")
      list(APPEND depends ${file})
    endif()
  endforeach()
  set(output ${CMAKE_BINARY_DIR}/generated/embedded/${function}.cpp)
  add_custom_command(OUTPUT ${output} BYPRODUCTS ${output}.bytes
    COMMAND svc-pack ${output} ${function} ${ARG_FILES}
    DEPENDS svc-pack ${depends} VERBATIM)
  target_sources(${target} PRIVATE ${output})
  # The embedded bytes are no text that the compiler sees.
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS ${output}.bytes)
endfunction()
