# Programs of a page and of bench/. PENUMBRA_VENV_PYTHON is the Python of a virtual
# environment with the packages in tests/python/requirements.txt; the environment variable of that
# name is its default.
set(PENUMBRA_VENV_PYTHON "$ENV{PENUMBRA_VENV_PYTHON}" CACHE FILEPATH
    "a Python with tests/python/requirements.txt installed; empty: no such tests")
if(PENUMBRA_VENV_PYTHON)
    add_test(NAME python_programs COMMAND
        ${PENUMBRA_VENV_PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/python)
    set(environment
        PENUMBRA=$<TARGET_FILE:penumbra_cli> PENUMBRA_LIBRARY=$<TARGET_FILE:penumbra_shared>
        PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1)
    set_tests_properties(python_programs PROPERTIES ENVIRONMENT "${environment}" COST 60)
endif()
