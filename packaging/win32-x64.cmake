# Toolchain: Debian's MinGW with threads of POSIX. Headers and libraries come from the folder that packaging/libraries makes.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_PROJECT_etlens_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/windows_libraries.cmake)
