# Included by the toolchain of win32-x64 as soon as there is a project: libraries are found where those of the machine
# that builds are, and then replaced by those that packaging/libraries made for Windows, in ETLENS_STATIC and beside it.
include(${CMAKE_CURRENT_LIST_DIR}/host_libraries.cmake)
get_filename_component(made ${ETLENS_STATIC} DIRECTORY)
include_directories(SYSTEM ${made}/include)
# What CMake believes to be searched anyway it does not name to the compiler.
list(APPEND CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
# Many files compiled as one have more sections than the usual form of objects can count.
add_compile_options(-Wa,-mbig-obj)
add_compile_definitions(PCRE2_STATIC UTF8PROC_STATIC)
# As much stack as threads have on Linux; no time of linking in the executable.
add_link_options(-static -Wl,--gc-sections -Wl,--stack,8388608 -Wl,--high-entropy-va -Wl,--no-insert-timestamp)

# Once all targets are there.
function(etlens_link_libraries_for_windows)
  set_target_properties(fmt::fmt PROPERTIES IMPORTED_IMPLIB ${ETLENS_STATIC}/libfmt.a
                                            IMPORTED_IMPLIB_NONE ${ETLENS_STATIC}/libfmt.a
                                            INTERFACE_COMPILE_DEFINITIONS "")  # FMT_SHARED is for DLLs
  set_target_properties(simdjson::simdjson PROPERTIES IMPORTED_IMPLIB ${ETLENS_STATIC}/libsimdjson.a
                                                      IMPORTED_IMPLIB_NONE ${ETLENS_STATIC}/libsimdjson.a)
  set_target_properties(ZLIB::ZLIB PROPERTIES IMPORTED_LOCATION ${ETLENS_STATIC}/libz.a
                                              IMPORTED_LOCATION_RELEASE ${ETLENS_STATIC}/libz.a)
  foreach(library UTF8PROC:utf8proc PCRE2:pcre2-8 LIBDEFLATE:deflate NETTLE:nettle)
    string(REPLACE ":" ";" library ${library})
    list(GET library 0 name)
    list(GET library 1 file)
    set_target_properties(PkgConfig::${name} PROPERTIES INTERFACE_LINK_LIBRARIES ${ETLENS_STATIC}/lib${file}.a)
  endforeach()
  # With what it needs of the system.
  set_target_properties(PkgConfig::LIBUV PROPERTIES INTERFACE_LINK_LIBRARIES
                        "${ETLENS_STATIC}/libuv_a.a;ws2_32;advapi32;iphlpapi;psapi;user32;userenv")
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL etlens_link_libraries_for_windows)
