# What the packages hold (packaging/); paths follow the Debian file hierarchy. The libraries are ours alone and lie in
# a folder of their own, which the program finds relative to itself: an installation may be moved as a whole.
if(NOT TARGET svc)
  return()
endif()
include(GNUInstallDirs)
set_target_properties(svc PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/svc")
install(TARGETS svc RUNTIME DESTINATION bin COMPONENT base)
install(TARGETS svc-base svc-press LIBRARY DESTINATION lib/svc COMPONENT base)
if(TARGET svc-pro)
  install(TARGETS svc-pro LIBRARY DESTINATION lib/svc COMPONENT pro)
endif()
install(FILES packaging/svc.service packaging/svc.socket DESTINATION lib/systemd/system COMPONENT base)
install(FILES packaging/svc.sysusers DESTINATION lib/sysusers.d RENAME svc.conf COMPONENT base)
# Made with the bundles (web.cmake): a build without them has none.
foreach(edition base pro)
  install(FILES ${CMAKE_BINARY_DIR}/third-party.txt DESTINATION share/doc/svc-${edition} RENAME copyright
    COMPONENT ${edition} OPTIONAL)
endforeach()
# What others build plugins with.
file(GLOB headers ${CMAKE_SOURCE_DIR}/shared/plugin/svc_*.h)
install(FILES ${headers} DESTINATION include/svc COMPONENT dev)
install(FILES docs/plugins.md shared/plugin/CAPABILITIES.md docs/hooks.md DESTINATION share/doc/svc-dev COMPONENT dev)
install(DIRECTORY packaging/dev/example DESTINATION share/doc/svc-dev COMPONENT dev)
install(FILES README.md CHANGELOG.md docs/configuration.md docs/errors.md docs/hooks.md docs/jobs.md
  docs/operating.md docs/routes.md docs/rules.md docs/settings.md docs/transitions.md docs/words.md packaging/nginx.conf.example
  DESTINATION share/doc/svc-base COMPONENT base)
