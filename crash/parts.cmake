# Parts of the laboratory that ./dev test runs, each as `holdfast_lab PART --ci`.
set(HOLDFAST_LAB_TEST_PARTS)
