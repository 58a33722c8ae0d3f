# One .deb with everything: binary, man pages, completions, library, headers, CMake package.
# `./dev package` runs cpack; tests/fresh_package.sh installs the result on a fresh Debian.
if(TARGET holdfast_cli)
  set(documents "${PROJECT_BINARY_DIR}/documents")
  add_custom_command(OUTPUT "${documents}/completions.fish"
    COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/documents.sh" "$<TARGET_FILE:holdfast_cli>" "${documents}"
    DEPENDS holdfast_cli cmake/documents.sh)
  add_custom_target(documents DEPENDS "${documents}/completions.fish")
  set(share "${CMAKE_INSTALL_DATADIR}")
  # OPTIONAL: an installation of the library alone needs none of them.
  install(DIRECTORY "${documents}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
  install(FILES "${documents}/completions.bash" DESTINATION "${share}/bash-completion/completions" RENAME holdfast OPTIONAL)
  install(FILES "${documents}/completions.zsh" DESTINATION "${share}/zsh/vendor-completions" RENAME _holdfast OPTIONAL)
  install(FILES "${documents}/completions.fish" DESTINATION "${share}/fish/vendor_completions.d"
    RENAME holdfast.fish OPTIONAL)
endif()
install(PROGRAMS examples/workflow_hooks.sh DESTINATION "${CMAKE_INSTALL_DATADIR}/holdfast")
install(FILES systemd/holdfast-archive.service systemd/holdfast-archive.timer systemd/holdfast-archive-watch.service DESTINATION lib/systemd/user)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/holdfast" RENAME copyright)
# What is compiled in or linked statically (NOTICE), in the words of Debian.
install(FILES NOTICE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/holdfast")
foreach(library IN ITEMS libssl libxxhash libtomlplusplus)
  install(FILES "/usr/share/doc/${library}-dev/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/holdfast"
    RENAME "copyright.${library}" OPTIONAL)
endforeach()
install(FILES "/usr/share/doc/libboost1.81-dev/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/holdfast"
  RENAME copyright.libboost OPTIONAL)
install(FILES README.md DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/holdfast")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME holdfast)
set(CPACK_PACKAGE_VENDOR Holdfast)
set(CPACK_PACKAGE_CONTACT "The Holdfast authors <holdfast@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "keeps, finds and reads the sessions of AI coding agents")
set(CPACK_PACKAGE_DESCRIPTION "One binary and one C++ library for the sessions of AI coding agents: plain files, and what was
acknowledged is never lost. Finds, shows, counts and exports what other agents keep, and changes nothing there.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/package")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "man-db, less")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
