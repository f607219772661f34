# What was compiled before is not compiled again, in another checkout either: paths below this one are hashed relative to it.
# Nothing depends on ccache being there (ETLENS_CCACHE=OFF does without it), or on what it holds.
option(ETLENS_CCACHE "Keep what is compiled in ccache's folder, where ccache is installed" ON)
find_program(CCACHE_PROGRAM ccache)
if(ETLENS_CCACHE AND CCACHE_PROGRAM)
  # CCACHE_NOHASHDIR: debug information may name the folder of an earlier checkout of the same files.
  set(launcher env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=3G ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
