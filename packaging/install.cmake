# cmake --install: the executable, its manual page, completions, the documentation. The packages take all but the
# executable from here, the component `files`.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
install(TARGETS etlens)
if(SKBUILD)  # pip: the folder of the environment's commands
  install(TARGETS etlens DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME files)
if(NOT WIN32 AND NOT CMAKE_CROSSCOMPILING)
  # The manual page and the completions are made here, from what the executable says of itself. That needs Node.js.
  find_program(NODE node)
  set(shell ${CMAKE_BINARY_DIR}/shell)
  if(NODE)
    install(CODE "execute_process(COMMAND \"${NODE}\" \"${CMAKE_CURRENT_LIST_DIR}/generate.mjs\" \"$<TARGET_FILE:etlens>\" \"${shell}\"
                                  COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${shell}/etlens.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${shell}/etlens.bash RENAME etlens DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${shell}/_etlens DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${shell}/etlens.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  else()
    install(CODE "message(WARNING \"the manual page and the completions are left out: they are made with Node.js\")")
  endif()
endif()
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES bench/RESULTS.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
