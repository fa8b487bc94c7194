# The command line: a test for each session in cli/.
file(GLOB SESSIONS CONFIGURE_DEPENDS cli/*.session)
foreach(session ${SESSIONS})
    get_filename_component(name ${session} NAME_WE)
    add_test(NAME cli_${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh
        $<TARGET_FILE:penumbra_cli> ${session})
    set_tests_properties(cli_${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
# Pages whose examples are run.
foreach(page text-files statistics row-steps formats)
    add_test(NAME page_${page} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/page.sh
        $<TARGET_FILE:penumbra_cli> ${CMAKE_SOURCE_DIR}/docs/${page}.md)
endforeach()
set_tests_properties(cli_interrupt cli_shrinking cli_memory PROPERTIES COST 20) # they wait
