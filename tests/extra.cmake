# The command line: a test for each session in cli/.
file(GLOB SESSIONS CONFIGURE_DEPENDS cli/*.session)
foreach(session ${SESSIONS})
    get_filename_component(name ${session} NAME_WE)
    add_test(NAME cli_${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.sh
        $<TARGET_FILE:penumbra_cli> ${session})
    set_tests_properties(cli_${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
# Runs the examples of pages.
file(GLOB PAGES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md
    ${CMAKE_SOURCE_DIR}/docs/methods/*.md)
list(FILTER PAGES EXCLUDE REGEX "/model-file.md$") # by python/test_model_file.py
foreach(page ${PAGES})
    file(STRINGS ${page} examples REGEX "^    [$] ")
    if(examples)
        file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${page})
        string(REGEX REPLACE "^docs/|[.]md$" "" name ${name})
        string(REPLACE / _ name ${name})
        add_test(NAME page_${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/page.sh
            $<TARGET_FILE:penumbra_cli> ${page})
        set_tests_properties(page_${name} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
endforeach()
set_tests_properties(cli_interrupt cli_shrinking cli_memory PROPERTIES COST 20) # they wait
