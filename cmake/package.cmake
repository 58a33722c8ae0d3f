# The library as it is installed: one shared object of all rooms up to the api, for
# find_package(Holdfast) -> Holdfast::holdfast and for pkg-config. Consumers do not link its dependencies.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Files without a component go into the Debian package of the tool (cmake/debian.cmake).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools)

add_library(holdfast SHARED)
add_library(Holdfast::holdfast ALIAS holdfast)
set(below_the_doors ${HOLDFAST_ROOMS})
list(REMOVE_ITEM below_the_doors rpc mcp http demo cli)
foreach(room IN LISTS below_the_doors)
  # All objects of the room, also those that nothing refers to.
  target_sources(holdfast PRIVATE $<TARGET_OBJECTS:room_${room}>)
  get_target_property(libraries room_${room} HOLDFAST_LIBRARIES)
  if(libraries)
    target_link_libraries(holdfast PRIVATE ${libraries})
  endif()
endforeach()
target_link_libraries(holdfast PRIVATE Threads::Threads)
# Visibility marks our exports. The script hides the symbols of what we only use: std and static libraries.
set(script "${PROJECT_SOURCE_DIR}/cmake/holdfast.map")
target_link_options(holdfast PRIVATE "LINKER:--version-script=${script}")
target_include_directories(holdfast INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(holdfast INTERFACE cxx_std_23)
set_target_properties(holdfast PROPERTIES
  LINKER_LANGUAGE CXX LINK_DEPENDS "${script}" VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Holdfast")
configure_package_config_file(cmake/HoldfastConfig.cmake.in "${PROJECT_BINARY_DIR}/HoldfastConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/HoldfastConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

file(RELATIVE_PATH up_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/holdfast.pc.in "${PROJECT_BINARY_DIR}/holdfast.pc" @ONLY)

install(TARGETS holdfast EXPORT HoldfastTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT dev)
install(FILES include/holdfast.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev)
install(DIRECTORY include/holdfast DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev FILES_MATCHING PATTERN "*.h")
install(EXPORT HoldfastTargets NAMESPACE Holdfast:: DESTINATION "${package_dir}" COMPONENT dev)
install(FILES "${PROJECT_BINARY_DIR}/HoldfastConfig.cmake" "${PROJECT_BINARY_DIR}/HoldfastConfigVersion.cmake"
  DESTINATION "${package_dir}" COMPONENT dev)
install(FILES "${PROJECT_BINARY_DIR}/holdfast.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)
if(TARGET holdfast_cli)
  install(TARGETS holdfast_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
