# The table of layers, which is nowhere else. A row is a folder, from the root: it may use the folders after USES and the packages
# after PRIVATE, or after PUBLIC where its headers show them, and no others. USES names rows above alone, so that there is no circle and
# archives are linked in order, without a group.
# Rows for folders inside a row's, right below it, add to what these may use. Every other row is a library, named after the last part
# of its folder.
# tests/includes reads the rows at the end of this file and holds every #include against them. CONTRIBUTING.md says what each is for.

# etlens_layer(FOLDER [USES folders…] [PUBLIC packages…] [PRIVATE packages…])
function(etlens_layer folder)
  cmake_parse_arguments(arg "" "" "USES;PUBLIC;PRIVATE" ${ARGN})
  get_property(above GLOBAL PROPERTY ETLENS_LAYERS)
  foreach(used ${arg_USES})
    if(NOT used IN_LIST above)
      message(FATAL_ERROR "cmake/layers.cmake: ${folder} uses ${used}, which is in no row above it")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY ETLENS_LAYERS ${folder})
  foreach(kind USES PUBLIC PRIVATE)
    set_property(GLOBAL PROPERTY "ETLENS_${kind} ${folder}" "${arg_${kind}}")
  endforeach()
endfunction()

# etlens_add_layers(TOP [KIND]): the libraries of the rows that are TOP or below it, STATIC or of another KIND. CMake's property
# ETLENS_LIBRARIES names all that were added.
function(etlens_add_layers top)
  set(kind STATIC ${ARGN})
  list(GET kind -1 kind)
  get_property(layers GLOBAL PROPERTY ETLENS_LAYERS)
  set(outer "")  # the folder of the library that was added last
  foreach(folder ${layers})
    if(NOT "${folder}/" MATCHES "^${top}/")
      continue()
    endif()
    if(outer STREQUAL "" OR NOT folder MATCHES "^${outer}/")
      set(outer ${folder})
      get_filename_component(name ${folder} NAME)
      set(library etlens_${name})
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cc)
      etlens_choose_system(sources)
      add_library(${library} ${kind} ${sources})
      target_link_libraries(${library} PUBLIC etlens_options)
      set_property(GLOBAL APPEND PROPERTY ETLENS_LIBRARIES ${library})
    endif()
    get_property(used GLOBAL PROPERTY "ETLENS_USES ${folder}")
    foreach(layer ${used})
      get_filename_component(name ${layer} NAME)
      target_link_libraries(${library} PUBLIC etlens_${name})
    endforeach()
    get_property(public GLOBAL PROPERTY "ETLENS_PUBLIC ${folder}")
    get_property(private GLOBAL PROPERTY "ETLENS_PRIVATE ${folder}")
    target_link_libraries(${library} PUBLIC ${public} PRIVATE ${private})
  endforeach()
endfunction()

etlens_layer(core/base)
etlens_layer(core/formats USES core/base PRIVATE etlens_flatbuffers simdjson::simdjson ZLIB::ZLIB PkgConfig::LIBDEFLATE fmt::fmt)
etlens_layer(core/source USES core/base)
etlens_layer(core/source/python PRIVATE etlens_tree_sitter)
etlens_layer(core/source/git PRIVATE PkgConfig::NETTLE ZLIB::ZLIB)
etlens_layer(core/scaffold USES core/base core/source)
etlens_layer(core/code USES core/base core/formats)
etlens_layer(core/recover USES core/base core/formats core/source)
etlens_layer(core/backend USES core/base core/formats core/code PRIVATE etlens_flatbuffers simdjson::simdjson fmt::fmt)
etlens_layer(core/join USES core/base core/formats core/code core/backend)
etlens_layer(core/delegation USES core/base core/formats core/code PRIVATE fmt::fmt)
etlens_layer(core/measure USES core/base core/formats core/code core/backend core/join PRIVATE fmt::fmt)
etlens_layer(core/program_graph
  USES core/base core/formats core/code core/backend core/join core/measure
  PRIVATE fmt::fmt)
etlens_layer(core/workspace
  USES core/base core/formats core/source core/code core/recover core/backend core/join core/delegation core/measure core/program_graph
  PRIVATE fmt::fmt)
etlens_layer(core/compare
  USES core/base core/formats core/source core/code core/backend core/join core/measure core/workspace
  PRIVATE Boost::headers fmt::fmt)
etlens_layer(core/facts
  USES core/base core/formats core/source core/code core/backend core/join core/delegation core/measure core/workspace
  PRIVATE fmt::fmt)
etlens_layer(core/runs USES core/base core/source core/code core/measure core/workspace core/facts PRIVATE fmt::fmt)
etlens_layer(core/bundle USES core/base core/formats core/code core/backend PRIVATE ZLIB::ZLIB PkgConfig::LIBDEFLATE)
etlens_layer(core/gate
  USES core/base core/formats core/source core/code core/backend core/delegation core/workspace core/compare core/facts
  PRIVATE tomlplusplus::tomlplusplus fmt::fmt)
etlens_layer(core/fleet
  USES core/base core/formats core/source core/code core/join core/measure core/workspace core/compare
  PRIVATE fmt::fmt)
etlens_layer(core/view
  USES core/base core/formats core/source core/code core/backend core/join core/program_graph core/workspace core/compare core/runs core/gate core/fleet
       core/facts)
etlens_layer(core/render
  USES core/base core/formats core/source core/code core/backend core/join core/program_graph core/workspace core/compare core/runs core/gate core/fleet
       core/facts core/view
  PRIVATE fmt::fmt PkgConfig::UTF8PROC)
etlens_layer(core/export
  USES core/base core/formats core/source core/code core/backend core/join core/program_graph core/workspace core/compare core/fleet
       core/facts core/render
  PRIVATE protozero::protozero ZLIB::ZLIB fmt::fmt)
etlens_layer(core/inspector
  USES core/base core/formats core/code core/backend core/join core/workspace core/render
  PRIVATE fmt::fmt)
etlens_layer(core/pstats USES core/base core/formats PRIVATE PkgConfig::PCRE2 fmt::fmt)
etlens_layer(protocol USES core/base PUBLIC nlohmann_json::nlohmann_json PRIVATE simdjson::simdjson)
etlens_layer(rpc USES core/base protocol)
etlens_layer(rpc/uv PRIVATE PkgConfig::LIBUV)
etlens_layer(server
  USES core/base core/formats core/source core/scaffold core/code core/backend core/join core/program_graph core/workspace core/compare core/runs core/gate
       core/fleet core/facts core/view core/render core/export protocol rpc
  PRIVATE fmt::fmt)
etlens_layer(mcp
  USES core/base core/formats core/code core/join core/workspace core/compare core/facts core/view core/render protocol rpc
  PRIVATE fmt::fmt)
etlens_layer(cli
  USES core/base core/formats core/source core/scaffold core/code core/backend core/join core/program_graph core/workspace core/compare core/runs core/bundle
       core/gate core/fleet core/facts core/view core/render core/export core/inspector core/pstats rpc server mcp
  PRIVATE CLI11::CLI11 fmt::fmt)
