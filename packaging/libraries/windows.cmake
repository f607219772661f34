# What Debian has as static libraries for Linux, for Windows.
set(uv ${SOURCES}/libuv1/src)
file(GLOB uv_files ${uv}/*.c ${uv}/win/*.c)
add_library(uv_a STATIC ${uv_files})
set_target_properties(uv_a PROPERTIES OUTPUT_NAME uv_a)
target_include_directories(uv_a PRIVATE ${SOURCES}/libuv1/include ${uv})
target_compile_definitions(uv_a PRIVATE WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0602)

add_library(utf8proc STATIC ${SOURCES}/utf8proc/utf8proc.c)
target_compile_definitions(utf8proc PRIVATE UTF8PROC_STATIC)

# Of libdeflate checksums alone.
add_library(deflate STATIC ${SOURCES}/libdeflate/lib/crc32.c ${SOURCES}/libdeflate/lib/x86/cpu_features.c)
target_include_directories(deflate PRIVATE ${SOURCES}/libdeflate)

# Of nettle SHA-1 alone, in C.
set(nettle ${SOURCES}/nettle)
add_library(nettle STATIC ${nettle}/sha1.c ${nettle}/sha1-compress.c ${nettle}/write-be32.c)
target_include_directories(nettle PRIVATE ${nettle})

# Without its compiler of machine code.
set(pcre ${SOURCES}/pcre2/src)
configure_file(${pcre}/config.h.generic ${CMAKE_BINARY_DIR}/pcre2/config.h COPYONLY)
configure_file(${pcre}/pcre2.h.generic ${CMAKE_BINARY_DIR}/pcre2/pcre2.h COPYONLY)
configure_file(${pcre}/pcre2_chartables.c.dist ${CMAKE_BINARY_DIR}/pcre2/pcre2_chartables.c COPYONLY)
set(pcre_files auto_possess compile config context convert dfa_match error extuni find_bracket jit_compile maketables match
    match_data newline ord2utf pattern_info script_run serialize string_utils study substitute substring tables ucd
    valid_utf xclass)
list(TRANSFORM pcre_files PREPEND ${pcre}/pcre2_)
list(TRANSFORM pcre_files APPEND .c)
add_library(pcre2-8 STATIC ${pcre_files} ${CMAKE_BINARY_DIR}/pcre2/pcre2_chartables.c)
target_include_directories(pcre2-8 PRIVATE ${CMAKE_BINARY_DIR}/pcre2 ${pcre})
target_compile_definitions(pcre2-8 PRIVATE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 PCRE2_STATIC SUPPORT_UNICODE)
