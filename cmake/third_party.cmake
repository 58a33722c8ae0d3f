# Libraries from Debian. The first group is required. The second is used by tests,
# benchmarks and the laboratory if installed (./dev installs what a verb needs).
find_package(Threads REQUIRED)
# We use only SHA-256 of libcrypto. The shared library would add 1.2 ms to every start of the binary
# (bench/start_bench.cc). The static library adds two object files.
set(OPENSSL_USE_STATIC_LIBS TRUE)
if(OPENSSL_CRYPTO_LIBRARY MATCHES "\\.so")  # cached by an older build directory
  unset(OPENSSL_CRYPTO_LIBRARY CACHE)
endif()
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(yaml-cpp REQUIRED)

# Debian's xxhash ships no CMake package.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
add_library(xxhash::xxhash UNKNOWN IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES
  IMPORTED_LOCATION "${XXHASH_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${XXHASH_INCLUDE_DIR}")

# Debian's re2 ships no CMake package either.
find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
find_library(RE2_LIBRARY re2 REQUIRED)
add_library(re2::re2 UNKNOWN IMPORTED)
set_target_properties(re2::re2 PROPERTIES
  IMPORTED_LOCATION "${RE2_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${RE2_INCLUDE_DIR}")

# The CMake package of md4c requires a library that is in another package of Debian.
find_path(MD4C_INCLUDE_DIR md4c.h REQUIRED)
find_library(MD4C_LIBRARY md4c REQUIRED)
add_library(md4c::md4c UNKNOWN IMPORTED)
set_target_properties(md4c::md4c PROPERTIES
  IMPORTED_LOCATION "${MD4C_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${MD4C_INCLUDE_DIR}")

# The CMake package of zstd names its targets differently in every distribution.
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
add_library(zstd::zstd UNKNOWN IMPORTED)
set_target_properties(zstd::zstd PROPERTIES
  IMPORTED_LOCATION "${ZSTD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")

# Signs and encrypts what machines share. Linked statically, because a shared library would slow down every start.
find_path(SODIUM_INCLUDE_DIR sodium.h REQUIRED)
find_library(SODIUM_LIBRARY NAMES libsodium.a sodium REQUIRED)
add_library(sodium::sodium UNKNOWN IMPORTED)
set_target_properties(sodium::sodium PROPERTIES
  IMPORTED_LOCATION "${SODIUM_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${SODIUM_INCLUDE_DIR}")

# We use only headers of Boost: Asio and Beast, in src/doors/http. Its CMake package requires more.
find_path(BOOST_INCLUDE_DIR boost/beast/http.hpp REQUIRED)
add_library(boost::headers INTERFACE IMPORTED)
set_target_properties(boost::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${BOOST_INCLUDE_DIR}")
find_program(ESBUILD esbuild REQUIRED)  # bundles the modules of web/ into one script

find_package(GTest QUIET)
find_package(rapidcheck QUIET)
find_package(benchmark QUIET)
find_path(LEVELDB_INCLUDE_DIR leveldb/db.h)  # Debian's CMake package also requires the headers of snappy
find_library(LEVELDB_LIBRARY leveldb)
find_path(FUSE3_INCLUDE_DIR fuse3/fuse.h)
find_library(FUSE3_LIBRARY fuse3)
