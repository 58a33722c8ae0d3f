# Debian packages: holdfast (binary, man pages, completions), libholdfast0, libholdfast-dev (headers, CMake package,
# pkg-config) and python3-holdfast. `./dev package` runs cpack; tests/fresh_package.sh installs them on a fresh Debian.
if(TARGET holdfast_cli)
  set(documents "${PROJECT_BINARY_DIR}/documents")
  add_custom_command(OUTPUT "${documents}/completions.fish"
    COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/documents.sh" "$<TARGET_FILE:holdfast_cli>" "${documents}"
    DEPENDS holdfast_cli cmake/documents.sh)
  add_custom_target(documents DEPENDS "${documents}/completions.fish")
  set(share "${CMAKE_INSTALL_DATADIR}")
  # OPTIONAL, because an installation of the library alone does not have them.
  install(DIRECTORY "${documents}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
  install(FILES "${documents}/completions.bash" DESTINATION "${share}/bash-completion/completions" RENAME holdfast OPTIONAL)
  install(FILES "${documents}/completions.zsh" DESTINATION "${share}/zsh/vendor-completions" RENAME _holdfast OPTIONAL)
  install(FILES "${documents}/completions.fish" DESTINATION "${share}/fish/vendor_completions.d"
    RENAME holdfast.fish OPTIONAL)
endif()
set(components tools library dev python)
set(packages holdfast libholdfast${PROJECT_VERSION_MAJOR} libholdfast-dev python3-holdfast)
install(PROGRAMS examples/workflow_hooks.sh DESTINATION "${CMAKE_INSTALL_DATADIR}/holdfast")
install(FILES systemd/holdfast-archive.service systemd/holdfast-archive.timer
  systemd/holdfast-archive-watch.service DESTINATION lib/systemd/user)
# Packages with compiled code also get Debian's copyright files of what is compiled in or linked statically (NOTICE).
foreach(component package IN ZIP_LISTS components packages)
  set(doc "${CMAKE_INSTALL_DATADIR}/doc/${package}")
  install(FILES LICENSE DESTINATION "${doc}" RENAME copyright COMPONENT ${component})
  if(component STREQUAL "tools" OR component STREQUAL "library")
    install(FILES NOTICE DESTINATION "${doc}" COMPONENT ${component})
    foreach(inside IN ITEMS libssl libsodium libtomlplusplus libxxhash)
      install(FILES "/usr/share/doc/${inside}-dev/copyright" DESTINATION "${doc}" RENAME "copyright.${inside}"
        COMPONENT ${component} OPTIONAL)
    endforeach()
    install(FILES "/usr/share/doc/libboost1.81-dev/copyright" DESTINATION "${doc}" RENAME copyright.libboost
      COMPONENT ${component} OPTIONAL)
  endif()
endforeach()
install(DIRECTORY bindings/python/holdfast DESTINATION lib/python3/dist-packages COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
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
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ${components})
foreach(component package IN ZIP_LISTS components packages)
  string(TOUPPER ${component} COMPONENT)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${package})
endforeach()
set(exactly "libholdfast${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "man-db, less")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "the sessions of AI coding agents: shared library
C++ and C (holdfast.h). What was acknowledged is never lost.")
# Up to 0.1, one package had everything.
foreach(COMPONENT IN ITEMS LIBRARY DEV)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_BREAKS "holdfast (<< 0.2)")
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_REPLACES "holdfast (<< 0.2)")
endforeach()
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${exactly}")
set(CPACK_COMPONENT_DEV_DESCRIPTION "the sessions of AI coding agents: headers
For programs in C++ and C that keep sessions in Holdfast; a CMake package and a pkg-config file.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${exactly}, python3 (>= 3.11)")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "the sessions of AI coding agents: Python package
Sessions in plain files, durable when a call returns; an adapter for the Claude Agent SDK.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
