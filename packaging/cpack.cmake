# The .deb of a folder that is already as it shall be installed:
#   STAGE=FOLDER VERSION=… ARCHITECTURE=… cpack --config packaging/cpack.cmake
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_FILE_NAME etlens)
set(CPACK_PACKAGE_NAME etlens)
set(CPACK_PACKAGE_VENDOR etlens)
set(CPACK_PACKAGE_VERSION $ENV{VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "costs of ExecuTorch models on lines of PyTorch source")
set(CPACK_PACKAGE_DESCRIPTION "etlens reads the ETRecord and the ETDump of an ExecuTorch model and puts what it costs
on the device on the line of PyTorch source that caused it: as a command line,
and as a language server for editors.")
set(CPACK_INSTALLED_DIRECTORIES "$ENV{STAGE};/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "etlens developers <etlens@localhost>")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE $ENV{ARCHITECTURE})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_SET_DESTDIR OFF)
