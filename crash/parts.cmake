# The parts of the laboratory that the tests run (cmake/testing.cmake makes a test of
# each). Exit code 0 is a pass, 77 a named skip, anything else a failure.
set(HOLDFAST_LAB_TEST_PARTS t1 t2 t3 t4 t5 t6 t7 t8 t14 t16 t17 t18 archive handoff sync) # ./dev test:  holdfast_lab PART --ci
set(HOLDFAST_LAB_CHECK_PARTS t2 t3 t4 t5 t6 t6d t9 t12 t13 t15 t16 t17 t18 archive handoff sync) # ./dev check: holdfast_lab PART --check, with the mutants' switches compiled in
set(HOLDFAST_LAB_SANITIZE_PARTS t2 t3 t6 t7 t9)             # ./dev asan and tsan: holdfast_lab PART --small
