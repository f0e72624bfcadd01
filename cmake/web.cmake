# svc_web(): bundles base/web with the npm packages of its lock file, as BUILD/web/bundle, behind SVC_WEB_STAMP. Packages
# lie in the build folder, so that the sources stay clean; a link beside them shows them to the bundler. The sources of a
# release (packaging/release) hold the bundles ready made, in base/web/bundle: they are taken, and npm is not asked.
option(SVC_WEB "Build the admin and the scripts of the public pages (needs npm)" ON)
function(svc_web)
  set(from ${CMAKE_SOURCE_DIR}/base/web)
  set(web ${CMAKE_BINARY_DIR}/web)
  if(SVC_WEB AND EXISTS ${from}/bundle/third-party.txt)
    file(GLOB_RECURSE made CONFIGURE_DEPENDS ${from}/bundle/*)
    add_custom_command(OUTPUT ${web}/bundled
      COMMAND ${CMAKE_COMMAND} -E copy_directory ${from}/bundle ${web}/bundle
      COMMAND ${CMAKE_COMMAND} -E rm ${web}/bundle/third-party.txt
      COMMAND ${CMAKE_COMMAND} -E touch ${web}/bundled
      DEPENDS ${made} COMMENT "Copying the bundles of the release" VERBATIM)
    configure_file(${from}/bundle/third-party.txt ${CMAKE_BINARY_DIR}/third-party.txt COPYONLY)
    set(SVC_WEB_STAMP ${web}/bundled PARENT_SCOPE)
    return()
  endif()
  find_program(SVC_NPM npm)
  find_program(SVC_NODE NAMES node nodejs)
  if(NOT SVC_WEB OR NOT SVC_NPM OR NOT SVC_NODE)
    if(SVC_WEB)
      message(WARNING "npm was not found: /admin is left out of this build, and pages do without scripts. "
        "Install nodejs and npm, or pass -DSVC_WEB=OFF to build without them.")
    endif()
    set(SVC_WEB_STAMP "" PARENT_SCOPE)
    return()
  endif()
  set(packages ${web}/node_modules/.package-lock.json)
  add_custom_command(OUTPUT ${packages}
    COMMAND ${CMAKE_COMMAND} -E copy ${from}/package.json ${from}/package-lock.json ${from}/.npmrc ${web}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${from} ${web}/src
    COMMAND ${SVC_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=4
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${from}/package.json ${from}/package-lock.json ${from}/.npmrc
    WORKING_DIRECTORY ${web} COMMENT "Installing npm packages" VERBATIM)
  file(MAKE_DIRECTORY ${web})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${from}/*.ts ${from}/*.tsx ${from}/*.css
    ${from}/../i18n/*.po ${from}/../i18n/*.pot)
  add_custom_command(OUTPUT ${web}/bundled
    COMMAND ${CMAKE_COMMAND} -E copy ${from}/build.mjs ${web}  # Node looks for packages beside the file itself
    COMMAND ${SVC_NODE} build.mjs src bundle
    COMMAND ${CMAKE_COMMAND} -E touch ${web}/bundled
    DEPENDS ${packages} ${from}/build.mjs ${sources}
    WORKING_DIRECTORY ${web} COMMENT "Bundling base/web" VERBATIM)
  # The licences of what is in the bundles and in the program; packages ship the same file.
  set(listed ${CMAKE_SOURCE_DIR}/packaging/packages.txt)
  set(font ${CMAKE_SOURCE_DIR}/base/website/themes/default/heading.LICENSE)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/third-party.txt
    COMMAND ${CMAKE_SOURCE_DIR}/packaging/notices.py ${from}/package-lock.json ${web}/node_modules ${listed} ${font}
      > ${CMAKE_BINARY_DIR}/third-party.txt
    DEPENDS ${packages} ${CMAKE_SOURCE_DIR}/packaging/notices.py ${listed} ${font} VERBATIM)
  set(SVC_WEB_STAMP ${web}/bundled PARENT_SCOPE)
endfunction()
