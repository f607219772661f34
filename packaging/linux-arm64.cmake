# Toolchain: Debian's cross compiler. Only headers of the machine's own libraries are used, which are the same for
# both; what is linked comes from ETLENS_STATIC.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# A note on an ABI that changed before this compiler, of which nothing is linked.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)
set(CMAKE_PROJECT_etlens_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/host_libraries.cmake)
