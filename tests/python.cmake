# The command against NumPy and scikit-learn: cmake -DPENUMBRA_VENV_PYTHON=VENV/bin/python, VENV being a virtual environment with what
# tests/python/requirements.txt lists; or the environment variable of that name.
set(PENUMBRA_VENV_PYTHON "$ENV{PENUMBRA_VENV_PYTHON}" CACHE FILEPATH "a python with tests/python/requirements.txt installed; empty: no such tests")
if(PENUMBRA_VENV_PYTHON)
    add_test(NAME python_sklearn COMMAND ${PENUMBRA_VENV_PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/python)
    set_tests_properties(python_sklearn PROPERTIES
        ENVIRONMENT "PENUMBRA=$<TARGET_FILE:penumbra_cli>;PENUMBRA_LIBRARY=$<TARGET_FILE:penumbra_shared>;PYTHONDONTWRITEBYTECODE=1;OPENBLAS_NUM_THREADS=1")
endif()
