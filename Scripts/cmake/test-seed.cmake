# ctest includes this file when it starts. Takes the seed of generated tests (test_seed() in Tests/CAssayTests/test.h)
# from the commit, so that each commit tests other cases. A seed in the environment takes precedence. Without git the
# tests use a constant.
if(NOT DEFINED ENV{ASSAY_TEST_SEED})
    execute_process(COMMAND git -C "${CMAKE_CURRENT_LIST_DIR}" rev-parse HEAD
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed EQUAL 0)
        string(SUBSTRING "${commit}" 0 15 digits)
        set(ENV{ASSAY_TEST_SEED} "0x${digits}")
    endif()
endif()
