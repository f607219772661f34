# etlens_static: the executable of the packages, from the same object files, linked to nothing that a machine may lack.
# ETLENS_STATIC is a folder with the static libraries, which packaging/libraries makes.
add_executable(etlens_static EXCLUDE_FROM_ALL $<TARGET_OBJECTS:etlens_cli> ${CMAKE_CURRENT_LIST_DIR}/unused.c)
set_target_properties(etlens_static PROPERTIES OUTPUT_NAME etlens LINKER_LANGUAGE CXX
                                               RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/static)
get_property(parts GLOBAL PROPERTY ETLENS_LIBRARIES)
list(REMOVE_ITEM parts etlens_cli)
list(APPEND parts etlens_tree_sitter)
set(archives)
foreach(part ${parts})
  list(APPEND archives $<TARGET_FILE:${part}>)
endforeach()
# By file, because the targets would bring the shared libraries that they use otherwise.
add_dependencies(etlens_static ${parts})
set_property(TARGET etlens_static PROPERTY LINK_DEPENDS ${archives})
set(libraries)
foreach(library fmt simdjson utf8proc pcre2-8 uv_a z deflate nettle)
  list(APPEND libraries ${ETLENS_STATIC}/lib${library}.a)
endforeach()
target_link_options(etlens_static PRIVATE -static-pie -B${ETLENS_STATIC} -L${ETLENS_STATIC} -Wl,--gc-sections -Wl,--sort-section=name
                    -Wl,-z,relro,-z,now -Wl,--fatal-warnings)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  target_link_options(etlens_static PRIVATE -Wl,-z,pack-relative-relocs)
endif()
target_link_libraries(etlens_static PRIVATE -Wl,--start-group ${archives} -Wl,--end-group ${libraries})
